// accounting_message is limited to 500 of an unstated unit; both readings are kept to.
const CUT = '…';

/** At most `max` characters and `max` bytes, cut at a character. */
export function fitMessage(message: string, max: number): string {
  const clean = message.replace(/\s+/g, ' ').trim();
  if (clean.length <= max && Buffer.byteLength(clean) <= max) return clean;
  let kept = '';
  let bytes = Buffer.byteLength(CUT);
  for (const character of clean) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    kept += character;
  }
  return kept.trimEnd() + CUT;
}
