// SHA-256 as node:crypto has it, for the few calls that the pipeline makes.
const K = Array.from({ length: 64 }, (_, index) => fraction(Math.cbrt(prime(index))));
const H = Array.from({ length: 8 }, (_, index) => fraction(Math.sqrt(prime(index))));

function prime(index) {
  let found = -1;
  for (let number = 2; ; number++) {
    let isPrime = true;
    for (let by = 2; by * by <= number; by++) if (number % by === 0) isPrime = false;
    if (isPrime && ++found === index) return number;
  }
}
function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}
const turn = (word, by) => (word >>> by) | (word << (32 - by));

function sha256(bytes) {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = [...H];
  const words = new Int32Array(64);
  for (let block = 0; block < blocks; block++) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block * 64 + at * 4);
    for (let at = 16; at < 64; at++) {
      const [one, two] = [words[at - 15], words[at - 2]];
      const low = turn(one, 7) ^ turn(one, 18) ^ (one >>> 3);
      const high = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10);
      words[at] = (words[at - 16] + low + words[at - 7] + high) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const first =
        (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + words[at]) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] + word) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => out.setInt32(at * 4, word));
  return new Uint8Array(out.buffer);
}

/** With the readers of a Buffer that are used. */
class Digest extends Uint8Array {
  readUInt16BE(at) {
    return (this[at] << 8) | this[at + 1];
  }
  toString(encoding) {
    return encoding === 'hex'
      ? [...this].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      : super.toString();
  }
}

export function createHash(name) {
  if (name !== 'sha256') throw new Error(`no ${name} here`);
  const parts = [];
  return {
    update(data) {
      parts.push(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return this;
    },
    digest(encoding) {
      const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.length;
      }
      const digest = new Digest(sha256(all));
      return encoding === undefined ? digest : digest.toString(encoding);
    },
  };
}

/** In one go, as hexadecimal digits. */
export function hash(name, text) {
  return createHash(name).update(text).digest('hex');
}
