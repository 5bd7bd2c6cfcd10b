/** What JSON writes as it stands: nothing that ends the text, escapes, controls, or is half a character. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** The same as `JSON.stringify`, for the many texts that need no escape: they are most of every document. */
export function jsonText(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
