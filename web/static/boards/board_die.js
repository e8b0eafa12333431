// A die on a board: the picture of such a die of this table, else its drawn face in the body's colour; or an empty place.

import { faceUrl } from '../api.js';
import { faceIcon, hasDrawing, titleIcon } from '../die_faces.js';
import { Component, html } from '../html.js';
import { isSelected, startDrag, toggleDie } from './selection.js';

/** Milliseconds before the page asks again for a face picture that did not exist; the empty answer is cached as long. */
const LOOK_AGAIN_MS = 60_000;

/** When the picture at an address was last found missing. @type {Map<string, number>} */
const missing = new Map();

/**
 * Draw a die; one that may be selected is a button. `look` has the kinds of the game's dice, and the die set's name, '' where there are no pictures of it.
 * @param {{die: {kind: string, face: string, title: string}, look: {kinds: Map<string, {bodies: string[]}>, dieSet: string}, pick?: {id: string} | null}} props @returns {any}
 */
export function BoardDie({ die, look, pick }) {
  if (!die.face) return html`<span class="empty-place" data-kind=${die.kind} />`;
  const body = look.kinds.get(die.kind)?.bodies[0];
  const drawn = html`<${FaceDrawing} face=${die.face} title=${die.title} body=${body} /><${FacePicture} key=${die.face} url=${look.dieSet && faceUrl(look.dieSet, die.kind, die.face)} />`;
  if (!pick) return html`<span class="board-die" data-kind=${die.kind} data-face=${die.face} role="img" aria-label=${die.title}>${drawn}</span>`;
  const picked = { ...die, id: pick.id };
  const isOn = isSelected(pick.id);
  return html`<button type="button" class=${`board-die pickable${isOn ? ' selected' : ''}`} data-key=${pick.id} data-kind=${die.kind} data-face=${die.face} aria-label=${die.title} aria-pressed=${String(isOn)}
    onClick=${() => toggleDie(picked)} onPointerDown=${(event) => startDrag(event, picked, event.currentTarget)}>${drawn}</button>`;
}

/** The drawn face, drawn again only when it is another one. */
class FaceDrawing extends Component {
  shouldComponentUpdate({ face, title, body }) {
    return face !== this.props.face || title !== this.props.title || body !== this.props.body;
  }

  render({ face, title, body }) {
    const draw = () => (hasDrawing(face) ? faceIcon(face, 'face', body) : titleIcon(title || '?', 'face', body));
    return html`<span class="drawing" ref=${(element) => element?.replaceChildren(draw())} />`;
  }
}

/** The table's own picture over the drawing, once there is one. */
class FacePicture extends Component {
  render({ url }) {
    if (!url || performance.now() - (missing.get(url) ?? -LOOK_AGAIN_MS) < LOOK_AGAIN_MS) return null;
    const fail = () => {
      missing.set(url, performance.now());
      this.forceUpdate();
    };
    return html`<img src=${url} alt="" draggable=${false} hidden=${!this.state.isThere} onLoad=${() => this.setState({ isThere: true })} onError=${fail} />`;
  }
}
