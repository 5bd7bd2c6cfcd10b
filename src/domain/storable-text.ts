// Texts from outside may hold what no text may: a NUL, which PostgreSQL refuses in every column, or half of a surrogate pair,
// which it refuses in JSON. One such character must not stop the whole batch that it stands in.

/** Half a character becomes U+FFFD; a NUL becomes a blank, as control characters do in everything that is booked. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replaceAll('\0', ' ');
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
