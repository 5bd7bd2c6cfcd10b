// The case of the rules that fits a line of an invoice, and what it assigns.
import { message } from '../../language/messages.js';
import { plainKennitala, readKennitala } from '../../domain/kennitala.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import type { NetLine } from './invoice-amounts.js';
import { entryOf, type RuleBook } from './rule-book.js';
import { firstCase, type FoundCase, type InvoiceCase, textOf } from './rule-cases.js';
import { because, type Because } from './trace.js';
import { VAT_RATES, type Treatment } from './vat-rates.js';

const WHY = message('CASE_OF_LINE');
type Found = FoundCase<InvoiceCase> | null;
const NONE: readonly Because[] = [];

export function lineCase(
  { item, tax }: NetLine,
  { invoice, book, context }: { invoice: SourceInvoice; book: RuleBook; context: MappingContext },
): Found {
  const cases = book.rules.invoice.cases ?? [];
  if (cases.length === 0) return null;
  const { guid, registrationNo } = invoice.customer;
  const exact = {
    customer: [guid, plainKennitala(registrationNo)].filter((one) => one !== ''),
    item: [item.itemNumber],
    category: [entryOf(context.items, item.guid)?.category ?? ''],
    currency: [invoice.currency],
    tax: [tax],
    country: [readKennitala(registrationNo).format ? 'IS' : 'abroad'],
  };
  const texts = { text: textOf(item.description, invoice.description) };
  return firstCase(cases, { exact, texts }, 'invoice');
}

export function assignedAccount(found: Found): Because | null {
  const account = found?.case.account;
  return found && account !== undefined ? because('account', account, `${found.path}.account`, WHY) : null;
}

/** Taxed lines keep the code of their rate: their VAT is booked under it. */
export function assignedCode(found: Found, treatment: Treatment): Because | null {
  const code = found?.case.vatCode;
  if (!found || code === undefined || !VAT_RATES[treatment].isZero()) return null;
  return because('vatCode', code, `${found.path}.vatCode`, WHY);
}

export function caseDimensions(found: Found): readonly Because[] {
  if (!found?.case.dimensions) return NONE;
  return Object.entries(found.case.dimensions).map(([name, value]) =>
    because('dimension', `${name} = ${value}`, `${found.path}.dimensions.${name}`, WHY),
  );
}
