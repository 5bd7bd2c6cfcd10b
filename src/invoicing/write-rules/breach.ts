// The write rules of Document 1, checked before a byte leaves. A breach names its rule, so that the message can be held
// against the document.
export const WRITE_RULES = {
  1: 'the resource travels in `data` as JSON',
  2: 'amount equals the sum of the lines plus VAT, to 2 decimals',
  3: 'issue_date ≤ due_date ≤ settlement_date',
  4: 'a line is an existing item or a complete new one',
  5: 'a credit note names the invoice it credits',
  6: 'delivery needs an e-mail address or a trading partner',
  7: 'creating a customer never looks for an existing one',
  8: 'cost amounts stay positive and their VAT is in ISK',
  flags: 'flags that exclude each other',
  period: 'exactly one way of naming a period',
  attachment: 'attachments are jpg, jpeg, png, gif or pdf of at most 5 MB',
} as const;

export type WriteRule = keyof typeof WRITE_RULES;

export interface Breach {
  readonly rule: WriteRule;
  readonly message: string;
}

export function sayBreach({ rule, message }: Breach): string {
  const name = typeof rule === 'number' ? `Write rule ${String(rule)}` : `Rule on ${rule}`;
  return `${name} (${WRITE_RULES[rule]}): ${message}`;
}
