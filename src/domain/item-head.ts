// The service gives an item its number itself (Document 1, "Item"), so the number that its origin knows it by stands at the head of its
// description, in brackets: `[A-100] Chair`. It is what an item is found by, and what people see on an invoice.
const HEAD = /^\s*\[([^\][]{1,140})\]\s*/;

/** Two origins may call different things the same: their series tells them apart here too. */
export function headNumber(series: string, reference: string): string {
  return series === '' ? reference : `${series}/${reference}`;
}

export function withHead(number: string, name: string): string {
  return `[${number}] ${name.trim()}`;
}

/** null: there is none. */
export function headOf(description: string): string | null {
  return HEAD.exec(description)?.[1]?.trim() ?? null;
}

/** The description without it. */
export function behindHead(description: string): string {
  return description.replace(HEAD, '').trim();
}
