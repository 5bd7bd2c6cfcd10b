// Text inside a journal of hledger or ledger. A customer's words must not become syntax: a line break starts a new posting, ";" starts
// a comment, and inside a comment "[2020-01-01]" or "date:2020-01-01" moves the posting to another day.

/** One line without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** The words after the date of a transaction. */
export function asDescription(text: string): string {
  return oneLine(text).replaceAll(';', ',');
}

/** The document number between parentheses. */
export function asCode(text: string): string {
  return oneLine(text).replaceAll(/[();]/g, '');
}

/** The value of a tag, or a comment: brackets and colons become characters that read the same and mean nothing. */
export function asComment(text: string): string {
  return oneLine(text).replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', '\u2236');
}

/** Two spaces would end the name of the account. */
export function asAccount(text: string): string {
  return oneLine(text).replaceAll(';', ',').replaceAll(/ +/g, ' ');
}
