// Supplier invoices in a simulated dkPlus: they wait in a list that has neither page nor filter, until people book them.
import { z } from 'zod';
import type { Decimal } from '../../../src/domain/money.js';
import { decimal, json, readJson } from './fake-json.js';
import type { FakeReply } from './fake-server.js';

const invoiceLine = z.strictObject({
  Type: z.enum(['Expenses', 'Payment', 'BalanceSettlement', 'ProjectExpenses', 'Goods']),
  Account: z.string().min(1),
  Amount: decimal,
  Text: z.string().optional(),
  Reference: z.string().optional(),
  Dim1: z.string().optional(),
  Dim2: z.string().optional(),
  Dim3: z.string().optional(),
});

const invoice = z.strictObject({
  Number: z.string().min(1),
  Reference: z.string().optional(),
  Description: z.string().max(2000).optional(),
  Text: z.string().max(2000).optional(),
  Date: z.string().regex(/^\d{4}-\d{2}-\d{2}T00:00:00Z$/),
  DueDate: z.string().optional(),
  ReceivedDate: z.string().optional(),
  Amount: decimal.optional(),
  Currency: z.string().optional(),
  Exchange: decimal.optional(),
  Lines: z.array(invoiceLine).min(1),
  Files: z.array(z.strictObject({ Name: z.string(), Content: z.base64() })).optional(),
});
export type SentInvoice = z.infer<typeof invoice>;

export interface WaitingInvoice {
  readonly ID: number;
  readonly vendor: string;
  readonly sent: SentInvoice;
}

interface Books {
  readonly hasVendor: (number: string) => boolean;
  readonly accountProblem: (account: string) => string | undefined;
  readonly isLocked: (day: string) => boolean;
}

export class DkInvoices {
  readonly waiting: WaitingInvoice[] = [];
  #made = 0;
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  make(vendor: string, body: Buffer): FakeReply {
    const parsed = invoice.safeParse(readJson(body));
    if (!parsed.success)
      return json(400, { Message: `The request is invalid: ${z.prettifyError(parsed.error)}` });
    const sent = parsed.data;
    if (!this.#books.hasVendor(vendor)) return json(404, { Message: `Vendor ${vendor} not found` });
    if (this.#books.isLocked(sent.Date.slice(0, 10)))
      return json(400, { Message: `The period of ${sent.Date} is closed` });
    for (const { Account } of sent.Lines) {
      const problem = this.#books.accountProblem(Account);
      if (problem !== undefined) return json(400, { Message: problem });
    }
    this.waiting.push({ ID: 15_600 + ++this.#made, vendor, sent });
    return { status: 200 };
  }

  list(): FakeReply {
    return json(200, this.waiting.map(shown));
  }

  /** People have approved it: it leaves the list. */
  take(reference: string): WaitingInvoice {
    const at = this.waiting.findIndex(({ sent }) => sent.Reference === reference);
    const [taken] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (!taken) throw new Error(`no invoice waits under ${reference}`);
    return taken;
  }
}

function shown({ ID, vendor, sent }: WaitingInvoice) {
  return {
    ...{ ID, Vendor: vendor, InvoiceNumber: sent.Number, InvoiceDate: sent.Date.slice(0, 19) },
    ...{ Reference: sent.Reference ?? '', Text: sent.Text ?? '', Voucher: '', Posted: false },
    ...{ Amount: sent.Amount ?? total(sent), CurrencyCode: sent.Currency ?? 'ISK' },
    ...{ Exchange: sent.Exchange ?? 1, HasAttachment: (sent.Files ?? []).length > 0 },
    Lines: sent.Lines.map((line, at) => ({
      ...{ HeadID: ID, SequenceID: at + 1, LineType: 0, Account: line.Account, Amount: line.Amount },
      ...{ Text: line.Text ?? '', Dim1: line.Dim1 ?? '', Dim2: line.Dim2 ?? '', Dim3: line.Dim3 ?? '' },
    })),
  };
}

function total({ Lines }: SentInvoice): Decimal | number {
  return Lines.map(({ Amount }) => Amount).reduce((one, other) => one.plus(other));
}
