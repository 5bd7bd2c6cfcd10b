// Document numbers and descriptions, by the tenant's templates and within the lengths that its ERP takes.
import type { RuleBook } from './rule-book.js';
import { TEMPLATE_FIELDS } from './rules.js';

export type TemplateFacts = Readonly<Record<(typeof TEMPLATE_FIELDS)[number], string>>;

const TEMPLATE_DEFAULT = '{documentNo} {party} {description}';
const SETTLEMENT_DEFAULT = '{documentNo} {party}';
const DESCRIPTION_LENGTH_MAX = 250;
const LINE_LENGTH_MAX = 100;

export function documentNumber(prefix: string, number: string, book: RuleBook): string {
  const whole = `${prefix}${number}`;
  return whole.slice(0, book.rules.numbering.lengthMax ?? whole.length);
}

export function describeJournal(
  kind: 'invoice' | 'credit' | 'cost' | 'settlement',
  facts: TemplateFacts,
  book: RuleBook,
): string {
  const { descriptions } = book.rules;
  const template = descriptions?.[kind] ?? (kind === 'settlement' ? SETTLEMENT_DEFAULT : TEMPLATE_DEFAULT);
  const filled = template.replaceAll(/\{(\w+)\}/g, (written, field: string) =>
    isTemplateField(field) ? facts[field] : written,
  );
  return shorten(filled, descriptions?.lengthMax ?? DESCRIPTION_LENGTH_MAX);
}

export function lineText(text: string, book: RuleBook): string {
  return shorten(text, book.rules.descriptions?.lineLengthMax ?? LINE_LENGTH_MAX);
}

function isTemplateField(field: string): field is (typeof TEMPLATE_FIELDS)[number] {
  return (TEMPLATE_FIELDS as readonly string[]).includes(field);
}

const UNEVEN = /\s\s|[^\S ]|\p{Cc}/u;

/** One line, cut by whole characters so that no half of one is left. */
function shorten(text: string, lengthMax: number): string {
  const single = (UNEVEN.test(text) ? text.replaceAll(/[\s\p{Cc}]+/gu, ' ') : text).trim();
  if (single.length <= lengthMax) return single;
  let kept = '';
  for (const character of single) {
    if (kept.length + character.length > lengthMax - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
