// What Business Central does with journals and ledger entries, as its documentation and AL source say: posting takes every
// line of a batch, leaves a blank line behind, may only be scheduled, and rounds what it is given.
import { randomUUID } from 'node:crypto';
import { Decimal, sum } from '../../../src/domain/money.js';

export class BcError extends Error {
  override readonly name = 'BcError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface BcLineRow {
  readonly id: string;
  readonly lineNumber: number;
  readonly accountType: string;
  readonly accountNumber: string;
  readonly postingDate: string;
  readonly documentNumber: string;
  readonly externalDocumentNumber: string;
  /** In the currency of the line, which is that of its customer or vendor; the API does not show which that is. */
  readonly amount: Decimal;
  readonly lcyAmount: Decimal;
  readonly description: string;
  /** VAT product posting group. */
  readonly taxCode: string;
  readonly dimensionSetLines: { id: string; code: string; valueCode: string }[];
}

export interface BcJournalRow {
  readonly id: string;
  readonly code: string;
  displayName: string;
  etag: number;
  lines: BcLineRow[];
}

export interface BcEntryRow {
  readonly id: string;
  readonly entryNumber: number;
  readonly postingDate: string;
  readonly documentNumber: string;
  readonly documentType: string;
  readonly accountNumber: string;
  readonly description: string;
  readonly debitAmount: Decimal;
  readonly creditAmount: Decimal;
  readonly dimensionSetLines: readonly { id: string; code: string; valueCode: string }[];
}

export interface BcPartnerRow {
  readonly id: string;
  readonly number: string;
  readonly displayName: string;
  readonly taxRegistrationNumber: string;
  readonly currencyCode: string;
  readonly blocked: string;
  /** "Prices Including VAT"; the API does not show it. */
  readonly pricesIncludeTax?: boolean;
  readonly addressLine1?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly lastModifiedDateTime?: string;
  /** What every line of its documents begins with. */
  readonly defaultDimensions?: readonly { code: string; valueCode: string }[];
}

export interface BcItemRow {
  readonly id: string;
  readonly number: string;
  readonly displayName: string;
  readonly unitPrice: Decimal;
  readonly priceIncludesTax: boolean;
  /** Where VAT is used, the VAT product posting group. */
  readonly taxGroupCode: string;
  readonly baseUnitOfMeasureCode: string;
  readonly blocked: boolean;
  readonly lastModifiedDateTime: string;
}

interface EnteredLine extends Pick<BcEntryRow, 'dimensionSetLines'> {
  readonly account: string;
  readonly amount: Decimal;
}

type EnteredHead = Pick<BcEntryRow, 'documentNumber' | 'documentType' | 'postingDate' | 'description'>;

export interface BcLedgerOptions {
  readonly allowPostingFrom: string;
  readonly allowPostingTo: string;
  readonly amountDecimals: number;
  /** "Post with Job Queue": posting answers at once and happens when the queue gets to it. */
  readonly jobQueue: boolean;
  /** How many reads pass before the queue gets to it by itself; without it, a test runs the queue. */
  readonly queueRunsAfterReads?: number;
  /** A number series on new batches: documents are renumbered when they are posted. */
  readonly numberSeries: boolean;
  /** "Increment Batch Name": a posted batch whose name has a number anywhere is replaced by the next one. */
  readonly incrementBatchName: boolean;
  /** The line that posting leaves keeps the number and the date of what was posted. */
  readonly leftoverKeepsNumber: boolean;
  /** What one of any foreign currency is worth in ISK. */
  readonly exchangeRate: number;
}

type NewLine = Omit<BcLineRow, 'id' | 'lcyAmount' | 'dimensionSetLines' | 'taxCode'> & {
  readonly taxCode?: string | undefined;
};

export class BcLedger {
  #lastStamp = 0;
  readonly options: BcLedgerOptions;
  readonly accounts = new Map<
    string,
    /** `vatGroup`: what a line on the account has unless it says otherwise; the API does not show it. */
    { blocked: boolean; accountType: string; directPosting: boolean; vatGroup?: string }
  >();
  readonly dimensions = new Map<string, Set<string>>();
  /** VAT product posting group → rate, and the account of the VAT posting set-up. */
  readonly vatGroups = new Map<string, { rate: string; account: string }>();
  /** The VAT product posting group of what has no VAT. */
  noVatGroup = 'NO VAT';
  /** The accounts that the posting groups of customers and vendors lead to. */
  controls = { customers: '1500', suppliers: '2410' };
  readonly customers: BcPartnerRow[] = [];
  readonly vendors: BcPartnerRow[] = [];
  readonly items: BcItemRow[] = [];
  readonly journals: BcJournalRow[] = [];
  readonly entries: BcEntryRow[] = [];
  /** Which entries were booked together; the API does not show it. */
  readonly transactionOf = new Map<string, number>();
  /** A bookkeeper closed the books up to this day. */
  closedUntil = '';
  readonly #scheduled: BcJournalRow[] = [];
  #transactions = 0;
  #reads = 0;

  /** Now, and later than any before it. */
  stamp(): string {
    this.#lastStamp = Math.max(Date.now(), this.#lastStamp + 1);
    return new Date(this.#lastStamp).toISOString();
  }

  constructor(options: BcLedgerOptions) {
    this.options = options;
  }

  addJournal(code: string, displayName: string): BcJournalRow {
    if (this.journals.some((journal) => journal.code === code)) {
      const message = `The Gen. Journal Batch already exists. Identification fields and values: Name='${code}'`;
      throw new BcError(400, 'Internal_EntityWithSameKeyExists', message);
    }
    const journal = { id: randomUUID(), code, displayName, etag: 1, lines: [] };
    this.journals.push(journal);
    return journal;
  }

  addLine(journal: BcJournalRow, line: NewLine): BcLineRow {
    const isForeign = this.#checkAccount(line);
    const taxCode = line.taxCode ?? this.accounts.get(line.accountNumber)?.vatGroup ?? '';
    if (taxCode !== '' && !this.vatGroups.has(taxCode))
      throw new BcError(
        400,
        'Internal_InvalidTableRelation',
        `VAT Product Posting Group ${taxCode} does not exist.`,
      );
    const { amountDecimals, exchangeRate } = this.options;
    const amount = line.amount.toDecimalPlaces(amountDecimals);
    const lcyAmount = isForeign ? amount.times(exchangeRate).toDecimalPlaces(amountDecimals) : amount;
    const row = { ...line, taxCode, amount, lcyAmount, id: randomUUID(), dimensionSetLines: [] };
    journal.lines.push(row);
    journal.etag++;
    return row;
  }

  addDimension(
    line: Pick<BcLineRow, 'dimensionSetLines'>,
    code: string,
    valueCode: string,
  ): { id: string; code: string; valueCode: string } {
    if (!this.dimensions.get(code)?.has(valueCode)) {
      const message = `The Dimension Value '${valueCode}' of dimension ${code} does not exist.`;
      throw new BcError(400, 'Internal_RecordNotFound', message);
    }
    const row = { id: randomUUID(), code, valueCode };
    line.dimensionSetLines.push(row);
    return row;
  }

  post(journal: BcJournalRow): void {
    if (!this.options.jobQueue) {
      this.#book(journal);
      return;
    }
    this.#scheduled.push(journal);
    this.#reads = 0;
  }

  /** Time goes by for the job queue with every read. */
  noteRead(): void {
    const { queueRunsAfterReads = Infinity } = this.options;
    if (this.#scheduled.length > 0 && ++this.#reads > queueRunsAfterReads) this.runJobQueue();
  }

  runJobQueue(): void {
    for (const journal of this.#scheduled.splice(0)) {
      // The job knows the batch by its name; a batch that is gone has nothing to post.
      const named = this.journals.find((each) => each.code === journal.code);
      try {
        if (named) this.#book(named);
      } catch (error) {
        // The job fails where only administrators look, and the lines stay in the journal.
        if (!(error instanceof BcError)) throw error;
      }
    }
  }

  #book(journal: BcJournalRow): void {
    const lines = journal.lines.filter((line) => !line.amount.isZero());
    if (lines.length === 0) return;
    this.#checkPosting(lines);
    this.#transactions++;
    const series = `G${String(this.#transactions).padStart(5, '0')}`;
    for (const line of lines) this.#write(line, this.options.numberSeries ? series : line.documentNumber);
    journal.lines = [blankLine(this.options.leftoverKeepsNumber ? lines.at(-1) : undefined)];
    journal.etag++;
    if (this.options.incrementBatchName && /\d/.test(journal.code)) this.#countUp(journal);
  }

  /** The old batch is deleted and a new one inserted, so the id that a caller holds is gone with it. */
  #countUp(journal: BcJournalRow): void {
    const code = journal.code.replace(/\d+(?=\D*$)/, (digits) =>
      String(Number(digits) + 1).padStart(digits.length, '0'),
    );
    this.journals.splice(this.journals.indexOf(journal), 1, { ...journal, id: randomUUID(), code });
  }

  #write(line: BcLineRow, documentNumber: string): void {
    const control = line.accountType === 'Customer' ? this.controls.customers : this.controls.suppliers;
    const account = line.accountType === 'G/L Account' ? line.accountNumber : control;
    const vat = this.vatGroups.get(line.taxCode);
    if (!vat) {
      this.#enter(line, documentNumber, account, line.lcyAmount);
      return;
    }
    const { amountDecimals } = this.options;
    const net = line.lcyAmount.div(new Decimal(1).plus(vat.rate)).toDecimalPlaces(amountDecimals);
    this.#enter(line, documentNumber, account, net);
    this.#enter(line, documentNumber, vat.account, line.lcyAmount.minus(net));
  }

  #enter(line: BcLineRow, documentNumber: string, account: string, amount: Decimal): void {
    const { postingDate, description, dimensionSetLines } = line;
    const head = { documentNumber, documentType: '_x0020_', postingDate, description };
    this.#add({ account, amount, dimensionSetLines }, head);
  }

  /** What a document comes to, in one transaction. */
  enterTogether(lines: readonly EnteredLine[], head: EnteredHead): void {
    this.#transactions++;
    for (const line of lines) this.#add(line, head);
  }

  #add({ account, amount, dimensionSetLines }: EnteredLine, head: EnteredHead): void {
    const id = randomUUID();
    this.transactionOf.set(id, this.#transactions);
    this.entries.push({
      ...{ id, entryNumber: this.entries.length + 1, accountNumber: account, dimensionSetLines, ...head },
      debitAmount: amount.isPositive() ? amount : new Decimal(0),
      creditAmount: amount.isNegative() ? amount.negated() : new Decimal(0),
    });
  }

  /** Whether the account brings a currency of its own to the line. */
  #checkAccount(line: Pick<BcLineRow, 'accountType' | 'accountNumber'>): boolean {
    const { accountType, accountNumber: number } = line;
    const partners = accountType === 'Customer' ? this.customers : this.vendors;
    const partner = partners.find((each) => each.number === number);
    if (accountType === 'G/L Account' && this.accounts.has(number)) return false;
    if (accountType !== 'G/L Account' && partner) return !['', 'ISK'].includes(partner.currencyCode);
    const message = `The field Account No. of table Gen. Journal Line contains a value (${number}) that cannot be found in the related table (${accountType}).`;
    throw new BcError(400, 'Internal_InvalidTableRelation', message);
  }

  checkDay(day: string): void {
    const { allowPostingFrom, allowPostingTo } = this.options;
    if (day >= allowPostingFrom && day <= allowPostingTo && day > this.closedUntil) return;
    const message = 'Posting Date is not within your range of allowed posting dates.';
    throw new BcError(400, 'Application_DialogException', message);
  }

  #checkPosting(lines: readonly BcLineRow[]): void {
    for (const line of lines) {
      this.checkDay(line.postingDate);
      const account = this.accounts.get(line.accountNumber);
      if (line.accountType === 'G/L Account' && account && (account.blocked || !account.directPosting)) {
        const message = `Direct Posting must be equal to 'Yes' in G/L Account: No.=${line.accountNumber}.`;
        throw new BcError(400, 'Application_FieldValidationException', message);
      }
    }
    const balance = sum(lines.map((line) => line.lcyAmount));
    if (!balance.isZero()) {
      throw new BcError(
        400,
        'Application_DialogException',
        `The lines are out of balance by ${balance.toFixed()}.`,
      );
    }
  }
}

function blankLine(posted?: BcLineRow): BcLineRow {
  return {
    id: randomUUID(),
    lineNumber: 10_000,
    accountType: 'G/L Account',
    accountNumber: '',
    postingDate: posted?.postingDate ?? '0001-01-01',
    documentNumber: posted?.documentNumber ?? '',
    externalDocumentNumber: '',
    amount: new Decimal(0),
    lcyAmount: new Decimal(0),
    description: '',
    taxCode: '',
    dimensionSetLines: [],
  };
}
