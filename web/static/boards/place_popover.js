// The small list at a place of a board, where several things may be done with it: each with its dice, or the dice to choose.

import { Component, html } from '../html.js';
import { BoardDie } from './board_die.js';
import { placesOf } from './card_view.js';
import { addedWord, areSame, diceOf, diceToChoose, placeName } from './selection_view.js';
import { say } from '../say.js';

const EDGE_PX = 8;

/** The list; `onOffer` plays one of its offers, `onClose` puts the list away. The dice of `lying` are chosen at first. */
export class PlacePopover extends Component {
  constructor(props) {
    super(props);
    this.state = { chosen: props.does === 'dice' ? placesOf(diceToChoose(props.offers), props.lying) : [] };
    this.onKey = (event) => event.key === 'Escape' && this.leave();
    this.onOutside = (event) => this.element && !this.element.contains(event.target) && this.props.onClose();
  }

  componentDidMount() {
    this.place();
    this.element.querySelector('button')?.focus({ preventScroll: true });
    document.addEventListener('keydown', this.onKey);
    document.addEventListener('pointerdown', this.onOutside, { capture: true });
  }

  componentWillUnmount() {
    document.removeEventListener('keydown', this.onKey);
    document.removeEventListener('pointerdown', this.onOutside, { capture: true });
  }

  componentDidUpdate() {
    this.place();
  }

  /** Close, and give the focus back to the place. */
  leave() {
    this.props.onClose();
    this.props.anchor.querySelector('button')?.focus();
  }

  /** Stand next to the place, within the window. */
  place() {
    const { width, height } = this.element.getBoundingClientRect();
    const at = this.props.anchor.getBoundingClientRect();
    const below = at.bottom + EDGE_PX;
    const top = below + height < innerHeight ? below : at.top - height - EDGE_PX;
    this.element.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - width - EDGE_PX))}px`;
    this.element.style.top = `${Math.max(EDGE_PX, Math.min(top, innerHeight - height - EDGE_PX))}px`;
  }

  toggle(place) {
    this.setState(({ chosen }) => ({ chosen: chosen.includes(place) ? chosen.filter((each) => each !== place) : [...chosen, place] }));
  }

  render({ title, offers, does, place, seat, look, onOffer }, { chosen }) {
    const words = does === 'words';
    const dice = does === 'dice' ? diceToChoose(offers) : [];
    const picked = chosen.map((place) => dice[place]);
    const listed = words ? [] : does === 'dice' ? offers.filter((offer) => areSame(picked, diceOf(offer))) : offers;
    return html`<div class="place-popover" role="dialog" aria-label=${title} data-of=${placeName(seat, place)} ref=${(element) => (this.element = element)}>
      <p class="popover-title">${title}</p>
      ${dice.length > 0 && html`<p class="popover-hint">${say('Choose the dice.')}</p><div class="choose-dice">${dice.map((die, place) => html`
        <button type="button" class=${chosen.includes(place) ? 'selected' : ''} aria-pressed=${String(chosen.includes(place))} aria-label=${die.title || die.face} onClick=${() => this.toggle(place)}><${BoardDie} die=${die} look=${look} /></button>`)}</div>`}
      ${words && html`<div class="choose-word">${offers.map((offer) => html`<button type="button" key=${offer.action} data-action=${offer.action} aria-label=${offer.title} onClick=${() => onOffer(offer)}>${addedWord(offer, place)}</button>`)}</div>`}
      ${listed.map((offer) => html`<button type="button" key=${offer.action} class=${offer.grave ? 'grave offer-row' : 'offer-row'} data-action=${offer.action} onClick=${() => onOffer(offer)}>
        ${diceOf(offer).length > 0 && html`<span class="place-dice">${diceOf(offer).map((die) => html`<${BoardDie} die=${die} look=${look} />`)}</span>`}<span>${offer.title}</span></button>`)}
      <button type="button" class="quiet" onClick=${() => this.leave()}>${say('Close')}</button>
    </div>`;
  }
}
