// Properties that hold for every document, over more than 10,000 generated ones a run.
import { say } from '../../../src/language/say.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyDecimals, minorUnit, roundTo, Decimal, sum, ZERO } from '../../../src/domain/money.js';
import {
  type Journal,
  type JournalLine,
  type LineRole,
  journalBreaches,
} from '../../../src/domain/journal.js';
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import { mapRecord, plainOutcome, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { REASONS, type MappingOutcome } from '../../../src/pipeline/mapping/outcome.js';
import { readXml } from '../../../src/domain/read-xml.js';
import { rulesWith, sampleRules, type Raw } from '../../unit/mapping/build.js';
import { costCase, invoiceCase, wild, wildRules, type InvoiceCase } from './arbitrary-documents.js';

// The same documents every day, so that a change is judged by the change alone. Others by SEED, more of them by TIMES.
const runs = (count: number): fc.Parameters<unknown> => ({
  numRuns: count * Number(process.env['TIMES'] ?? 1),
  seed: Number(process.env['SEED'] ?? 1),
});

const rules = new RuleLayers(
  rulesWith({
    invoice: { revenueByItemNumber: { V2: '3200', V3: '3000' }, settlement: 'all' },
    cost: { reverseCharge: 'both' },
  }),
);
const splitting = new RuleLayers(rulesWith({ vat: { mode: 'erp-splits' }, cost: { reverseCharge: 'both' } }));
const layered = [rules, splitting] as const;

const mapInvoice = ({ document, context }: InvoiceCase, over: Raw = {}, by = rules) =>
  mapRecord({ kind: 'invoice', document: { ...document, ...over }, context }, by);
const mapCost = (document: Raw, by = rules) => mapRecord({ kind: 'cost', document }, by);

function journalsOf(outcome: MappingOutcome): Journal[] {
  if (outcome.outcome !== 'post') return [];
  return [outcome.journal, ...(outcome.settlement ? [outcome.settlement] : [])];
}

/** A line without its text, as one string: what is compared when order is free. */
const lineKey = (line: JournalLine, flip = false): string => {
  const isk = line.debit.minus(line.credit);
  const currency = line.currencyAmount ?? ZERO;
  return JSON.stringify([
    line.account,
    line.role,
    (flip ? isk.neg() : isk).toFixed(),
    (flip ? currency.neg() : currency).toFixed(),
    line.vatCode,
    line.vatBase?.toFixed(),
    line.dimensions,
  ]);
};

/** What is caught so that nothing worse comes of it; that it is caught is no excuse. */
const OUR_FAULTS = new Set<string>(['JOURNAL_REFUSED', 'MAPPING_FAILED']);

const VAT_ROLES = new Set<LineRole>(['vat-out', 'vat-in', 'reverse-charge-in', 'reverse-charge-out']);

const posts = { invoice: 0, cost: 0, other: 0 };

function expectSound(outcome: MappingOutcome, iskDecimals = 0): void {
  // Plain comparisons: an `expect` costs more than mapping the document.
  if (outcome.outcome !== 'post' && (!(outcome.reason in REASONS) || OUR_FAULTS.has(outcome.reason))) {
    throw new Error(`${outcome.reason}: ${say('en', outcome.why)}`);
  }
  for (const journal of journalsOf(outcome)) {
    const breaches = journalBreaches(journal, { iskDecimals });
    const isk = sum(journal.lines.map((line) => line.debit.minus(line.credit)));
    const currency = sum(journal.lines.map((line) => line.currencyAmount ?? ZERO));
    const text = journalToJson(journal);
    const isSame = journalToJson(journalFromJson(text)) === text;
    if (breaches.length > 0 || !isk.isZero() || !currency.isZero() || !isSame) {
      throw new Error(`${JSON.stringify(breaches)} ${isk.toFixed()} ${currency.toFixed()} ${text}`);
    }
  }
}

/** What is owed or was paid stands on one of these; on a cost it depends on the way of paying. */
const CONTROL_ROLES = {
  invoice: new Set<LineRole>(['receivable']),
  cost: new Set<LineRole>(['payable', 'bank', 'clearing']),
};

/** Reckoned from the raw document alone, not by what the mapper says that it checked. */
function expectTotal(kind: 'invoice' | 'cost', raw: Raw, outcome: MappingOutcome): void {
  if (outcome.outcome !== 'post') return;
  const { journal } = outcome;
  const control = journal.lines.filter(({ role }) => CONTROL_ROLES[kind].has(role));
  const isk = sum(control.map(({ debit, credit }) => debit.minus(credit))).abs();
  const amount = new Decimal(String(raw['amount'])).abs();
  const isForeign = raw['currency'] !== 'ISK';
  const total = roundTo(amount, isForeign ? currencyDecimals(String(raw['currency'])) : 0);
  const expected = roundTo(total.times(isForeign ? journal.exchangeRate : 1), 0);
  const inCurrency = sum(control.map(({ currencyAmount }) => currencyAmount ?? ZERO)).abs();
  const isSame = isk.eq(expected) && inCurrency.eq(isForeign ? total : 0);
  // An amount of zero over lines that cancel out has nobody who owes anything.
  if (!isSame || control.length !== (total.isZero() ? 0 : 1)) {
    throw new Error(`${isk.toFixed()}, not ${expected.toFixed()}: ${journalToJson(journal)}`);
  }
}

const RATES = new Map([
  ['24', new Decimal('0.24')],
  ['11', new Decimal('0.11')],
]);

/** The sample's VAT codes end in their rate. In ISK within a króna, with what 2.5 cents are worth besides. */
function expectVatOfBase(outcome: MappingOutcome): void {
  if (outcome.outcome !== 'post') return;
  const { journal } = outcome;
  const cents = journal.currency === 'ISK' ? ZERO : minorUnit(journal.currency).times('2.5');
  const tolerance = cents.times(journal.exchangeRate).plus(1);
  for (const line of journal.lines.filter(({ role }) => VAT_ROLES.has(role))) {
    const rate = RATES.get(line.vatCode?.slice(-2) ?? '');
    const vat = line.debit.plus(line.credit);
    if (!rate || !line.vatBase || vat.minus(line.vatBase.times(rate)).abs().gt(tolerance)) {
      throw new Error(
        `VAT ${vat.toFixed()} of ${line.vatBase?.toFixed() ?? 'nothing'}: ${journalToJson(journal)}`,
      );
    }
  }
}

describe('every generated document', () => {
  test('an invoice balances, its receivable is its amount, its VAT is of its base, and it survives JSON', () => {
    fc.assert(
      fc.property(invoiceCase, fc.constantFrom(...layered), (made, by) => {
        const outcome = mapInvoice(made, {}, by);
        posts[outcome.outcome === 'post' ? 'invoice' : 'other'] += 1;
        expectSound(outcome);
        expectTotal('invoice', made.document, outcome);
        expectVatOfBase(outcome);
      }),
      runs(3000),
    );
    expect(posts.invoice).toBeGreaterThan(2000);
  });

  test('no VAT is booked that an invoice did not charge, and all that it did', () => {
    let exempt = 0;
    fc.assert(
      fc.property(invoiceCase, (made) => {
        const outcome = mapInvoice(made);
        if (outcome.outcome !== 'post') return;
        const { lines, currency, exchangeRate } = outcome.journal;
        const booked = lines.filter(({ role }) => role === 'vat-out');
        const isk = sum(booked.map(({ credit, debit }) => credit.minus(debit)));
        const isExempt = (made.context['customer'] as Raw)['tax_exempt'] === true;
        if (isExempt && made.vat.isZero()) {
          exempt += 1;
          if (booked.length > 0) throw new Error(`VAT of ${isk.toFixed()} that nobody charged`);
        }
        // Each rate rounded to krónur; abroad also the cents that are folded where they are worth nothing.
        const slack = minorUnit(currency).times(10).times(exchangeRate).plus(3);
        const charged = made.vat.times(exchangeRate);
        if (isk.minus(charged).abs().gt(slack))
          throw new Error(`VAT ${isk.toFixed()}, not ${charged.toFixed()}`);
      }),
      runs(2000),
    );
    expect(exempt).toBeGreaterThan(200);
  });

  test('an exempt customer’s invoice that is exact without VAT is booked, whatever its discount', () => {
    const uncharged = invoiceCase.filter(
      ({ context, vat }) => (context['customer'] as Raw)['tax_exempt'] === true && vat.isZero(),
    );
    fc.assert(
      fc.property(uncharged, (made) => {
        const outcome = mapInvoice(made);
        const isFine =
          outcome.outcome === 'post' ||
          ['ZERO_AMOUNT', 'RESIDUAL_EXCEEDED', 'NEGATIVE_INVOICE'].includes(outcome.reason);
        if (!isFine) throw new Error(`${outcome.reason}: ${say('en', outcome.why)}`);
      }),
      runs(800),
    );
  });

  test('a cost balances, what is credited is its amount, its VAT is of its base, and it survives JSON', () => {
    fc.assert(
      fc.property(costCase, fc.constantFrom(...layered), (made, by) => {
        const outcome = mapCost(made, by);
        posts[outcome.outcome === 'post' ? 'cost' : 'other'] += 1;
        expectSound(outcome);
        expectTotal('cost', made, outcome);
        expectVatOfBase(outcome);
      }),
      runs(3000),
    );
    expect(posts.cost).toBeGreaterThan(2000);
  });

  test('gives the same outcome every time', () => {
    const written = (record: Raw, by: RuleLayers) =>
      JSON.stringify(plainOutcome('1', mapRecord(record, by), true));
    const same = (record: Raw) =>
      written(structuredClone(record), rules) ===
      written(record, new RuleLayers(structuredClone(rules.base)));
    fc.assert(
      fc.property(invoiceCase, ({ document, context }) => same({ kind: 'invoice', document, context })),
      runs(700),
    );
    fc.assert(
      fc.property(costCase, (document) => same({ kind: 'cost', document })),
      runs(700),
    );
  });

  test('the order of an invoice’s lines does not matter', () => {
    const shuffled = invoiceCase.chain((made) =>
      fc
        .shuffledSubarray(made.document['items'] as Raw[], {
          minLength: (made.document['items'] as Raw[]).length,
        })
        .map((items) => [made, items] as const),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom(...layered), ([made, items], by) => {
        const [one, other] = [mapInvoice(made, {}, by), mapInvoice(made, { items }, by)];
        const keys = (outcome: MappingOutcome) =>
          journalsOf(outcome).map(({ lines }) => lines.map((each) => lineKey(each)).sort());
        return JSON.stringify([other.outcome, keys(other)]) === JSON.stringify([one.outcome, keys(one)]);
      }),
      runs(1200),
    );
  });

  test('a credit note mirrors its invoice, whichever sign its figures have', () => {
    fc.assert(
      fc.property(invoiceCase, (made) => {
        const credit = { type: 'credit', refer_guid: 'original' };
        const invoice = mapInvoice(made);
        if (invoice.outcome !== 'post') return true;
        const negated = (value: unknown) => `-${String(value)}`.replace(/^--/, '');
        const items = (made.document['items'] as Raw[]).map((item) => ({
          ...item,
          qty: negated(item['qty']),
          discount: item['discount_type'] === 1 ? item['discount'] : negated(item['discount']),
        }));
        const totals = Object.fromEntries(
          ['amount', 'total_24vat', 'total_11vat', 'total_0vat'].map((field) => [
            field,
            negated(made.document[field]),
          ]),
        );
        // Of the document alone: that a credit note was paid out no document shows, so it settles nothing.
        const expected = [invoice.journal.lines.map((each) => lineKey(each, true))];
        // Of an amount of zero nobody can tell the sign.
        const forms =
          Number(made.document['amount']) === 0 ? [credit] : [credit, { ...credit, ...totals, items }];
        return forms.every((over) => {
          const mirrored = journalsOf(mapInvoice(made, over)).map(({ lines }) =>
            lines.map((each) => lineKey(each)),
          );
          return JSON.stringify(mirrored) === JSON.stringify(expected);
        });
      }),
      runs(1200),
    );
  });

  test('a cost credit note mirrors its invoice', () => {
    fc.assert(
      fc.property(costCase, (made) => {
        const asInvoice = xmlOf(made).replaceAll('CreditNote', 'Invoice').replace('>381<', '>380<');
        const asCredit = asInvoice.replaceAll('Invoice', 'CreditNote').replace('>380<', '>381<');
        const lines = (xml: string, flip: boolean) =>
          journalsOf(mapCost({ ...made, xml: Buffer.from(xml).toString('base64') })).map((journal) =>
            journal.lines.map((each) => lineKey(each, flip)),
          );
        return JSON.stringify(lines(asCredit, true)) === JSON.stringify(lines(asInvoice, false));
      }),
      runs(700),
    );
  });

  test('nothing but a coded outcome comes of nonsense', () => {
    const documents = fc.oneof(
      invoiceCase.map((made) => ({ kind: 'invoice', ...made })),
      costCase.map((document) => ({ kind: 'cost', document })),
      wild(invoiceCase.map(({ document }) => document)).map((document) => ({ kind: 'invoice', document })),
      wild(costCase).map((document) => ({ kind: 'cost', document })),
      fc.record({
        kind: fc.constantFrom('invoice', 'cost', 'quote', null),
        document: fc.jsonValue(),
        context: fc.jsonValue(),
      }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(documents, fc.jsonValue(), fc.option(wildRules), (record, context, own) => {
        const whole =
          typeof record === 'object' && record !== null && 'document' in record
            ? { context, ...record, ...(own === null ? {} : { rules: own }) }
            : record;
        expectSound(mapRecord(whole, rules), 2);
      }),
      runs(3000),
    );
  });

  test('nothing but a coded outcome comes of a broken e-invoice', () => {
    const broken = fc
      .tuple(costCase, fc.nat(), fc.nat({ max: 60 }), fc.string({ maxLength: 20 }))
      .map(([made, at, length, put]) => {
        const xml = xmlOf(made);
        const from = at % xml.length;
        const bytes = Buffer.from(xml.slice(0, from) + put + xml.slice(from + length));
        return { ...made, xml: bytes.toString('base64') };
      });
    fc.assert(
      fc.property(broken, (made) => expectSound(mapCost(made))),
      runs(1000),
    );
  });

  test('any text is either read as XML or refused', () => {
    const markup = fc
      .array(
        fc.constantFrom(
          '<a',
          '>',
          '</a>',
          '<b/>',
          '&amp;',
          '&',
          ' x="1"',
          '<!--',
          '-->',
          ']]>',
          '<![CDATA[',
          'þ',
          '\0',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(markup, fc.string()), (xml) =>
        ['read', 'unreadable'].includes(readXml(xml).outcome),
      ),
      runs(2000),
    );
  });
});

function xmlOf(made: Raw): string {
  return Buffer.from(String(made['xml']), 'base64').toString('utf8');
}

test('the sample rules are what the generator builds on', () =>
  expect(sampleRules.fx.reference['EUR']).toBe(145));
