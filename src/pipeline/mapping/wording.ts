// Document numbers and descriptions, by the tenant's templates and within the lengths that its ERP takes.
import { message } from '../../language/messages.js';
import type { Message } from '../../domain/message.js';
import { warning, because, type Because } from './outcome.js';
import { type RuleBook, TEMPLATE_FIELDS } from './rules.js';

export type TemplateFacts = Readonly<Record<(typeof TEMPLATE_FIELDS)[number], string>>;

const TEMPLATE_DEFAULT = '{documentNo} {party} {description}';
const SETTLEMENT_DEFAULT = '{documentNo} {party}';
const DESCRIPTION_LENGTH_MAX = 250;
const LINE_LENGTH_MAX = 100;

export interface DocumentNumber {
  readonly documentNo: string;
  /** Before it was cut to the length that the ERP takes; null when it was not. */
  readonly uncut: string | null;
}

/** The end of a number is what tells it from its neighbours, so a long one loses the beginning behind its prefix. */
export function documentNumber(prefix: string, number: string, book: RuleBook): DocumentNumber {
  const whole = oneLine(`${prefix}${number}`);
  const lengthMax = book.rules.numbering.lengthMax ?? whole.length;
  if (whole.length <= lengthMax) return { documentNo: whole, uncut: null };
  const kept = prefix.length < lengthMax ? prefix : '';
  const end = whole.slice(kept.length - lengthMax).replace(HALF_CHARACTER, '');
  return { documentNo: `${kept}${end}`, uncut: whole };
}

export function cutReasons({ documentNo, uncut }: DocumentNumber): Because[] {
  if (uncut === null) return [];
  return [because('documentNo', documentNo, 'numbering.lengthMax', message('END_KEPT', { number: uncut }))];
}

export function cutWarnings({ uncut }: DocumentNumber): Message[] {
  return uncut === null ? [] : [warning('DOCUMENT_NUMBER_CUT', { number: uncut })];
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
/** The second half of a pair whose first half was cut away. */
const HALF_CHARACTER = /^[\udc00-\udfff]/;

/** What a document says goes to terminals and ERPs: no line breaks and nothing that steers them. */
function oneLine(text: string): string {
  return (UNEVEN.test(text) ? text.replaceAll(/[\s\p{Cc}]+/gu, ' ') : text).trim();
}

/** One line, cut by whole characters so that no half of one is left. */
function shorten(text: string, lengthMax: number): string {
  const single = oneLine(text);
  if (single.length <= lengthMax) return single;
  let kept = '';
  for (const character of single) {
    if (kept.length + character.length > lengthMax - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
