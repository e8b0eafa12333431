// Whether anything moves before the camera, by small pictures that follow each other. No DOM.

/** Levels of brightness, 0 to 255, by which a place must change; a phone's noise in so small a picture is a fifth of it. */
const LEVELS = 14;
/** Fewer changed places are noise: a die of 16 mm has about 36 of them in a tray that fills the picture. */
const LEAST_PLACES = 5;

/** Return the brightness of each place of a picture. @param {Uint8ClampedArray} rgba @returns {Uint8ClampedArray} */
function brightness(rgba) {
  const levels = new Uint8ClampedArray(rgba.length / 4);
  for (let place = 0; place < levels.length; place += 1) levels[place] = (rgba[4 * place] + 2 * rgba[4 * place + 1] + rgba[4 * place + 2]) / 4;
  return levels;
}

/** Compares each picture with the one before it. */
export class MotionWatch {
  #last = new Uint8ClampedArray(0);

  /** Take in the next picture; return true if something moved. The first one, and one of another size, is motion. @param {Uint8ClampedArray} rgba @returns {boolean} */
  sees(rgba) {
    const now = brightness(rgba);
    const last = this.#last;
    this.#last = now;
    if (last.length !== now.length) return true;
    let changed = 0;
    for (let place = 0; place < now.length; place += 1) {
      if (Math.abs(now[place] - last[place]) > LEVELS) changed += 1;
      if (changed >= LEAST_PLACES) return true;
    }
    return false;
  }
}
