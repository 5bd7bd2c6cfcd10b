// Chance by seed: the same seed gives the same accounts, guids and faults on every machine.

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  below(bound: number): number;
  guid(): string;
  token(bytes: number): string;
}

/** sfc32, seeded by a hash of the text so that neighbouring seeds are unrelated. */
export function seededRandom(seed: string | number): Random {
  let [a, b, c, counter] = seedWords(String(seed));
  const nextWord = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) nextWord();
  const hex = (words: number): string => {
    let text = '';
    for (let index = 0; index < words; index += 1) text += nextWord().toString(16).padStart(8, '0');
    return text;
  };
  return {
    next: () => nextWord() / 4_294_967_296,
    below: (bound) => Math.floor((nextWord() / 4_294_967_296) * bound),
    guid: () => asUuid(hex(4)),
    token: (bytes) => hex(Math.ceil(bytes / 4)).slice(0, bytes * 2),
  };
}

function asUuid(hex: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function seedWords(text: string): [number, number, number, number] {
  let [a, b, c] = [0x9e3779b9, 0x243f6a88, 0xb7e15162];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ (code + index), 1_597_334_677);
    c = Math.imul(c ^ (code << 3), 2_246_822_519);
  }
  return [a | 0, b | 0, c | 0, 1];
}
