// Small operations on text whose time grows with its length and no faster. A pattern such as /0+$/ looks like one of them and is
// quadratic: it tries again at every zero of a text that does not end in one.

export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

export function trimStartOf(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start += 1;
  return text.slice(start);
}

/** 1234567 → 1.234.567, as people in Iceland write it. Text that is not all digits is returned unchanged. */
export function groupThousands(digits: string): string {
  if (!/^\d+$/.test(digits)) return digits;
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join('.');
}

/** Without the characters that turn the direction of text round: with them `fdp.exe` shows as `exe.pdf`, and 1.000 as 000.1. */
export function withoutDirections(text: string): string {
  return text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '');
}

// Texts from outside may hold what no text may: a NUL, which PostgreSQL refuses in every column, or half of a surrogate pair,
// which it refuses in JSON. One such character must not stop the whole batch that it stands in.

/** Half a character becomes U+FFFD; a NUL becomes a blank, as control characters do in everything that is booked. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replaceAll('\0', ' ');
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

// Numbers as Icelanders write them, in both languages: 1.234.567,5.

const MINUS = '−';

/** Decimal text → grouped by points, a comma before the decimals; no digit is lost, since it never becomes a number. */
export function writtenNumber(text: string, decimals?: number): string {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const grouped = groupThousands(whole);
  const shown =
    decimals === undefined ? trimEndOf(fraction, '0') : fraction.padEnd(decimals, '0').slice(0, decimals);
  const digits = shown === '' ? grouped : `${grouped},${shown}`;
  return negative && /[1-9]/.test(digits) ? `${MINUS}${digits}` : digits;
}
