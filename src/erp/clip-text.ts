// Text for a field of limited length: one line, no control characters, never half a character at the end.
const CONTROL_OR_SEPARATOR = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

export function clipText(text: string, lengthMax: number): string {
  const flat = text.normalize('NFC').replace(CONTROL_OR_SEPARATOR, ' ').replace(/ {2,}/g, ' ').trim();
  return flat
    .slice(0, lengthMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
