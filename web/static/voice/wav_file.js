// A WAV file: one channel, 16 bits. No sound, no DOM.

const HEADER = 44;

/** Return a WAV file of samples, -1 to 1. @param {Float32Array} samples @param {number} rate @returns {ArrayBuffer} */
export function wavFile(samples, rate) {
  const bytes = new DataView(new ArrayBuffer(HEADER + 2 * samples.length));
  const text = (at, word) => [...word].forEach((letter, place) => bytes.setUint8(at + place, letter.charCodeAt(0)));
  text(0, 'RIFF');
  bytes.setUint32(4, HEADER - 8 + 2 * samples.length, true);
  text(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true); // PCM
  bytes.setUint16(22, 1, true); // channels
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, 2 * rate, true); // bytes a second
  bytes.setUint16(32, 2, true); // bytes of all channels together
  bytes.setUint16(34, 16, true); // bits of a sample
  text(36, 'data');
  bytes.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, place) => bytes.setInt16(HEADER + 2 * place, Math.round(32767 * Math.max(-1, Math.min(1, sample))), true));
  return bytes.buffer;
}
