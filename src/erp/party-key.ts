// Partners are known by kennitala. One spelling of it, so that two documents of a new customer ask for the same partner.
const KENNITALA = /^\d{6}-?\d{4}$/;

/** Ten digits, without the hyphen that people write; anything else (a foreign number) is kept as it is, trimmed. */
export function partyNumber(kennitala: string): string {
  const text = kennitala.trim();
  return KENNITALA.test(text) ? text.replace('-', '') : text;
}

/** What a created partner is stamped with, and what must be unique in the ERP. */
export function partyKey(kind: 'customer' | 'supplier', kennitala: string): string {
  return `${kind}:${partyNumber(kennitala)}`;
}
