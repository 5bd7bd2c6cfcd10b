// Partners are known by kennitala. One spelling of it, so that two documents of a new customer ask for the same partner.
const KENNITALA = /^\d{6}-?\d{4}$/;

/** Ten digits, without the hyphen that people write; anything else (a foreign number) is kept as it is, trimmed. */
export function partyNumber(kennitala: string): string {
  const text = kennitala.trim();
  return KENNITALA.test(text) ? text.replace('-', '') : text;
}

/** How an ERP may hold the same number: with and without the hyphen. A foreign number has one spelling only. */
export function partySpellings(kennitala: string): string[] {
  const number = partyNumber(kennitala);
  return KENNITALA.test(number) ? [number, `${number.slice(0, 6)}-${number.slice(6)}`] : [number];
}
