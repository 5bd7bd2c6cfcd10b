// What a journal becomes in Tryton: a move, or an invoice with the move that Tryton makes of it. Both are made as drafts and then posted.
import * as z from 'zod';
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { Answer } from '../answer.js';
import type { ErpEntry, ErpReference } from '../erp-adapter.js';
import type { TrytonClient } from './client.js';
import { invoiceReference } from './invoice-entry.js';
import type { TrytonInvoices } from './invoices.js';
import { toReference } from './translate.js';

export interface TrytonRecords {
  create(company: number, values: unknown): Promise<Answer<number>>;
  /** Puts a draft into the books. */
  complete(company: number, id: number, journal: Journal): Promise<Answer<unknown>>;
  /** Takes a draft away that Tryton will not book. */
  remove(company: number, id: number): Promise<Answer<unknown>>;
  /** Gives a draft back what a removal that did not come to its end has taken. `values`: what it was made of. */
  restore(company: number, id: number, draft: ErpEntry, values: unknown): Promise<Answer<unknown>>;
  draft(id: number): ErpReference;
  /** With the number that it has once it is in the books. */
  booked(company: number, id: number): Promise<ErpReference>;
}

const WHOLE: Answer<unknown> = { outcome: 'ok', value: undefined };
const numbered = z.object({ number: z.string() });

export function moveRecords(client: TrytonClient): TrytonRecords {
  return {
    create: (company, values) => client.createMove(company, values),
    complete: (company, id) => client.postMove(company, id),
    remove: (company, id) => client.deleteMove(company, id),
    restore: () => Promise.resolve(WHOLE),
    draft: (id) => toReference({ id, post_number: null }),
    booked: async (company, id) => {
      const number = await client.postNumber(company, id);
      return toReference({ id, post_number: number.outcome === 'ok' ? number.value : null });
    },
  };
}

export function invoiceRecords(invoices: TrytonInvoices, clock: Clock): TrytonRecords {
  return {
    create: (company, values) => invoices.create(company, values),
    complete: async (company, id, { dueDate, postingDate }) => {
      // The day may be another one where Tryton is; saying yes to what it does not ask does no harm.
      const isPast = (dueDate ?? postingDate) <= clock.now().toISOString().slice(0, 10);
      const confirmed = isPast ? await invoices.confirmPastDueDate(company, id) : null;
      if (confirmed && confirmed.outcome !== 'ok') return confirmed;
      return invoices.post(company, id);
    },
    remove: (company, id) => invoices.remove(company, id),
    restore: (company, id, { reference }, values) => {
      const { number } = numbered.parse(values);
      return reference.number === undefined
        ? invoices.setNumber(company, id, number)
        : Promise.resolve(WHOLE);
    },
    draft: (id) => invoiceReference(id, null),
    booked: async (company, id) => {
      const number = await invoices.number(company, id);
      return invoiceReference(id, number.outcome === 'ok' ? number.value : null);
    },
  };
}
