// How a tenant is, and what keeps its documents waiting.
import { momentInWords } from '../../domain/local-time.js';
import type { VatMode } from '../../domain/vat-mode.js';
import { writtenNumber } from '../../domain/written-number.js';
import { type Answer, answerText } from '../answers.js';
import type { Say, TextTable } from '../table.js';

/** What a plan would do, in documents. */
export interface PlanFigures {
  readonly post: number;
  /** Debits of what is posted. */
  readonly totalIsk: string;
  readonly reject: number;
  readonly skip: number;
  readonly wait: number;
  readonly examined: number;
  /** More than were examined, where there are very many. */
  readonly waiting: number;
}

type Side = 'source' | 'erp';
const NAMES: Readonly<Record<Side, string>> = { source: 'invoicing service', erp: 'ERP' };
const documents = (count: number, one: string, many: string) =>
  count === 1 ? `1 document ${one}` : `${count} documents ${many}`;

export const TENANTS = {
  PAUSED_BY: ({ by, why }: { by: string; why: string }) => `Paused by ${by}: ${why}`,
  PAUSED_IN_FILE: () => 'Paused in its tenant file.',
  FILE_BROKEN: ({ place, version }: { place: string; version: string }) =>
    `Its file is broken at ${place}; it runs on the version of ${momentInWords(version)}.`,
  NO_TENANT_FILE: () => 'There is no valid tenant file for it any more.',
  SIDE_REFUSES: ({ side, answer = 'no reason given' }: { side: Side; answer?: Answer }, say: Say) =>
    `The ${NAMES[side]} refuses the credentials: ${answerText(answer, say)}`,
  SIDE_SILENT: ({ side, answer = 'no reason given' }: { side: Side; answer?: Answer }, say: Say) =>
    `The ${NAMES[side]} does not answer: ${answerText(answer, say)}`,
  PLAN_UNCONFIRMED: () => 'Nothing is posted before its plan was looked at and confirmed.',
  NEED_A_PERSON: ({ count }: { count: number }) => documents(count, 'needs a person.', 'need a person.'),
  INCIDENTS_CRITICAL: ({ count }: { count: number }) =>
    count === 1 ? 'A critical incident is open.' : `${count} critical incidents are open.`,
  ON_THEIR_WAY: ({ count }: { count: number }) => documents(count, 'is on its way.', 'are on their way.'),
  WAIT_WITH_A_REASON: ({ count }: { count: number }) =>
    documents(count, 'waits, with a reason.', 'wait, each with a reason.'),
  ALL_IN_BOOKS: ({ reversed, skipped }: { reversed: number; skipped: number }) => {
    const left = [
      ...(reversed > 0 ? [`${reversed} reversed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ];
    const except = left.length === 0 ? '' : `, but for ${left.join(' and ')}`;
    return `Every document that was handed over is in the books${except}.`;
  },

  CONNECTION_REFUSED: ({ side, tenant }: { side: Side; tenant: string }) =>
    `The ${NAMES[side]} refuses the credentials of ${tenant}`,
  CONNECTION_DOWN: ({ side, tenant }: { side: Side; tenant: string }) =>
    `The ${NAMES[side]} of ${tenant} does not answer`,
  CHECK_CREDENTIALS: ({ tenant }: { tenant: string }) =>
    `Check the credentials with \`ledgerbridge tenant check ${tenant}\`; its documents wait and nothing is marked.`,
  GOES_ON_BY_ITSELF: ({ tenant }: { tenant: string }) =>
    `Its documents wait and go on by themselves when it answers; look with \`ledgerbridge tenant check ${tenant}\`.`,
  QUEUES_AWAY: ({ since }: { since: string }) => `Redis cannot be reached since ${momentInWords(since)}`,
  START_REDIS: () =>
    'Start Redis, or correct REDIS_URL; nothing is lost, and everything goes on by itself when it answers.',
  LAST_ANSWER: ({ answer = 'none' }: { answer?: Answer }, say: Say) =>
    `The last answer: ${answerText(answer, say)}`,
  WAITS: () => 'It waits.',
  WAITS_FOR_CREDENTIALS: ({ side, since }: { side: Side; since: string }) =>
    `It waits because the ${NAMES[side]} refuses the credentials since ${momentInWords(since)}.`,
  WAITS_FOR_ANSWER: ({ side, since }: { side: Side; since: string }) =>
    `It waits because the ${NAMES[side]} does not answer since ${momentInWords(since)}.`,
  PLAN_AGAIN: () => 'Nothing is known of its accounts and periods. Mend the connection, then plan again.',
  NO_DIMENSIONS_TAKEN: ({ dimensions }: { dimensions: string }) =>
    `This ERP connection takes no dimensions, and documents have ${dimensions}.`,
  NAME_DIMENSIONS: () =>
    'Name them under erp.settings in the tenant file, or take them out of rules.dimensions.',
  VAT_MODE_NOT_TAKEN: ({ mode }: { mode: VatMode }) =>
    mode === 'erp-splits'
      ? 'The rules want the ERP to take VAT out of gross lines, and this ERP connection cannot do that.'
      : 'The rules give VAT lines of its own, and this ERP connection reckons VAT itself.',
  SET_VAT_MODE: ({ mode }: { mode: VatMode }) =>
    `Set \`vat.mode: ${mode}\` in the rules of the tenant, or choose an ERP connection that can.`,
  NOT_FORESEEN: ({ count }: { count: number }) =>
    `${count} documents were not asked about one by one: the ERP's limits allow no more in a plan, or it stopped answering.`,
  SEEN_WHEN_SENT: () =>
    'Whether the ERP has their customers, suppliers and rates is seen when they are sent; what it refuses waits with a reason.',
  PERIODS_NOT_CHECKED: () =>
    'Closed periods were not checked: this ERP says only when an entry is sent whether its day is open.',
  LOOK_FOR_CLOSED_PERIODS: () =>
    'Look in the ERP; documents dated into a closed period will be held as ERP_PERIOD_CLOSED.',
  PLAN_IN_FIGURES: ({ post, totalIsk, reject, skip, wait, examined, waiting }: PlanFigures) => {
    const number = (count: number) => writtenNumber(String(count));
    const parts = [
      `${number(post)} posted (${writtenNumber(totalIsk)} kr.)`,
      `${number(reject)} set to Error`,
      ...(skip > 0 ? [`${number(skip)} set to Skipped`] : []),
      `${number(wait)} ${wait === 1 ? 'waits' : 'wait'}`,
    ];
    const marks =
      reject + skip > 0 ? ' Error and Skipped at the invoicing service cannot be taken back from here.' : '';
    const left =
      waiting > examined
        ? ` These are the oldest ${number(examined)} of ${number(waiting)} documents; the others were not looked at.`
        : '';
    return `${parts.join(', ')}.${marks}${left}`;
  },

  OTHER_COMPANY: ({
    company,
    books,
    documents: theirs,
  }: {
    company: string;
    books: string;
    documents: string;
  }) => `The ERP keeps the books of ${company} (${books}), but the documents are those of ${theirs}.`,
  CORRECT_THE_COMPANY: () =>
    'Correct the credentials of the source or the company of the ERP in the tenant file.',
  LACKS_ACCOUNT: ({ account }: { account: string }) => `The ERP has no account ${account}, or it is closed.`,
  LACKS_DIMENSION: ({ dimension, value }: { dimension: string; value?: string }) =>
    value === undefined
      ? `The ERP knows no dimension ${dimension}.`
      : `The ERP knows no ${value} in the dimension ${dimension}.`,
  LACKS_VAT_CODE: ({ vatCode }: { vatCode: string }) => `The ERP knows no VAT code ${vatCode}.`,
  LACKS_CURRENCY: ({ currency }: { currency: string }) => `The ERP has no currency ${currency}.`,
  LACKS_DAYS: ({ count, first, last }: { count: number; first: string; last: string }) =>
    count === 1
      ? `${first} cannot be booked on.`
      : `${count} days from ${first} to ${last} cannot be booked on.`,
  DAYS_ARE_OPEN: () => 'All posting dates are open.',
  ALL_IS_THERE: () => 'The ERP has all that the rules use.',
  CONNECTION_SAID: ({ side, answer }: { side: Side; answer: Answer }, say: Say) =>
    `The connection to the ${NAMES[side]} says: “${answerText(answer, say)}”`,
  MEND_IN_ERP_OR_RULES: () => 'Make it in the ERP, or change the rules.',
  OPEN_THE_PERIOD: () =>
    'Open the period in the ERP, or set `rules.period` so that documents are dated on the first open day.',
  MEND_THE_CONNECTION: () => 'Mend what it names, then check again.',
} satisfies TextTable;
