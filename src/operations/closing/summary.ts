// What a certificate says in the end: three parties side by side, what differs, and what nobody here can see.
import type { TenantName } from '../../domain/ids.js';
import type { CertificateSummary, Compared, Tally, VatLine } from '../../certificate/certificate.js';
import { sidesText } from '../../certificate/certificate-text.js';
import type { Message } from '../../domain/message.js';
import { writtenNumber } from '../../domain/text.js';
import { message } from '../../language/messages.js';
import type { TenantContext } from '../../sync/tenant-context.js';
import { vatRatesOf } from '../vat/report.js';
import type { Tenant } from '../../tenants/tenant.js';
import type { Period } from '../connected-tenants.js';
import type { ComparedDocuments } from './compare-documents.js';
import type { BooksSide } from './content-check.js';
import type { SourceSide } from './read-source.js';
import type { ClosingRecords } from './records.js';
import type { ErpCapabilities } from '../../erp/erp-adapter.js';
import { compareAccounts, compareVat, Tallies } from './tally.js';

export interface Summing {
  readonly records: ClosingRecords;
  readonly tenant: Tenant;
  readonly context: TenantContext;
  readonly period: Period;
  readonly source: SourceSide;
  readonly books: BooksSide | null;
  readonly compared: ComparedDocuments;
}

/** Named one by one; of more, the count says the rest. */
const NAMED_MAX = 200;

export async function summarise(summing: Summing): Promise<CertificateSummary> {
  const { records, tenant, source, books, compared } = summing;
  const documents = compareSubjects(source, compared);
  const shownByErp = comparesAccounts(summing.context.erp.capabilities) ? books?.accounts : null;
  const accounts = compareAccounts(compared.accounts, shownByErp ?? null);
  const vat = compareVat(compared.vat, books?.vat ?? null, (code) => vatRatesOf(code, tenant.rules));
  const numbers = await missingNumbers(records, tenant.name, compared.numbers);
  const audit = await records.audit(tenant.name);
  const differences: Message[] = [
    ...source.problems.slice(0, NAMED_MAX).map((problem) => message('CLOSE_SOURCE_UNREADABLE', { problem })),
    ...documents
      .filter(({ agrees }) => !agrees)
      .map((one) =>
        message('CLOSE_SOURCE_DIFFERS', {
          subject: one.subject,
          source: tallyText(one.source),
          bridge: tallyText(one.bridge),
        }),
      ),
    ...accounts.filter(({ agrees }) => !agrees).map(accountDiffers),
    ...vat.filter(({ agrees }) => agrees === false).map(vatDiffers),
    ...compared.differences,
    ...(numbers === null || numbers.missing.length === 0
      ? []
      : [
          message('CLOSE_NUMBER_MISSING', {
            numbers: numbers.missing.slice(0, NAMED_MAX).join(', '),
            count: numbers.missing.length,
          }),
        ]),
    ...(audit.whole ? [] : [message('CLOSE_AUDIT_BROKEN')]),
  ];
  return {
    verdict: differences.length === 0 ? 'green' : 'red',
    ...{ differences, documents, accounts, vat, numbers, audit },
    entries: { bridge: compared.entries, erp: books?.count ?? null },
    setAside: compared.setAside,
    originals: compared.originals,
    limits: limitsOf(summing, await records.restoredOn()),
  };
}

/** Where the ERP took VAT out of what it was sent, its accounts hold other sums than the journals. */
export function comparesAccounts({
  readBack,
  vatMode,
}: Pick<ErpCapabilities, 'readBack' | 'vatMode'>): boolean {
  return readBack === 'lines' && vatMode !== 'erp-splits';
}

function compareSubjects(source: SourceSide, compared: ComparedDocuments): Compared[] {
  const theirs = new Tallies();
  for (const { kind, currency, amount } of source.documents.values())
    theirs.add(`${kind} ${currency}`, amount);
  const subjects = [...new Set([...theirs.subjects(), ...compared.bySubject.subjects()])].sort();
  return subjects.map((subject) => {
    const [one, other] = [theirs.get(subject), compared.bySubject.get(subject)];
    const agrees = one.count === other.count && one.sum === other.sum;
    return { subject, source: one, bridge: other, erp: null, agrees };
  });
}

async function missingNumbers(records: ClosingRecords, tenant: TenantName, numbers: readonly string[]) {
  const series = numberSeries(numbers);
  if (series === null || series.missing.length === 0) return series;
  const known = await records.knownNumbers(tenant, series.missing);
  return { ...series, missing: series.missing.filter((number) => !known.has(number)) };
}

function accountDiffers({ account, bridge, erp }: ReturnType<typeof compareAccounts>[number]): Message {
  const theirs = erp ? sidesText(erp) : '–';
  return message('CLOSE_ACCOUNT_DIFFERS', { account, bridge: sidesText(bridge), erp: theirs });
}

function vatDiffers({ vatCode, debit, credit, erp }: VatLine): Message {
  const theirs = erp ? sidesText(erp) : '–';
  return message('CLOSE_VAT_DIFFERS', { vatCode, bridge: sidesText({ debit, credit }), erp: theirs });
}

function tallyText(tally: Tally | null): string {
  return tally === null ? '–' : `${String(tally.count)} (${writtenNumber(tally.sum)})`;
}

function limitsOf({ tenant, books, period }: Summing, restoredOn: string | null): Message[] {
  const { cutOver } = tenant;
  return [
    message('CLOSE_LIMIT_HIDDEN'),
    message('CLOSE_LIMIT_OTHERS'),
    ...(books?.vat ? [] : [message('CLOSE_LIMIT_VAT')]),
    ...(cutOver !== null && cutOver > period.from ? [message('CLOSE_LIMIT_CUT_OVER', { day: cutOver })] : []),
    ...(restoredOn === null ? [] : [message('CLOSE_LIMIT_RESTORED', { day: restoredOn })]),
    ...(books === null ? [message('CLOSE_LIMIT_NO_LOOK_UP')] : []),
    ...(tenant.originals.keep ? [] : [message('CLOSE_LIMIT_ORIGINALS_OFF')]),
  ];
}

// The number series of invoices: what is missing between the first and the last of a period.
const NUMBER = /^(\D*)(\d{1,15})$/;
/** Named one by one; a series that jumps further than this is two series. */
const JUMP_MAX = 1_000;

interface NumberSeries {
  readonly first: string;
  readonly last: string;
  readonly missing: readonly string[];
}

/** null: no invoice has a number that can be counted. Each beginning before the digits is a series of its own. */
function numberSeries(numbers: readonly string[]): NumberSeries | null {
  const series = new Map<string, { value: number; width: number }[]>();
  for (const number of numbers) {
    const [, prefix, digits] = NUMBER.exec(number) ?? [];
    if (prefix === undefined || digits === undefined) continue;
    const known = series.get(prefix) ?? [];
    known.push({ value: Number(digits), width: digits.length });
    series.set(prefix, known);
  }
  const missing: string[] = [];
  const all: string[] = [];
  for (const [prefix, values] of [...series].sort()) {
    const sorted = values.sort((one, other) => one.value - other.value);
    for (const [index, { value, width }] of sorted.entries()) {
      all.push(`${prefix}${String(value).padStart(width, '0')}`);
      const previous = sorted[index - 1]?.value ?? value;
      if (value - previous > JUMP_MAX) continue;
      for (let gap = previous + 1; gap < value; gap++)
        missing.push(`${prefix}${String(gap).padStart(width, '0')}`);
    }
  }
  const [first] = all;
  return first === undefined ? null : { first, last: all.at(-1) ?? first, missing };
}
