// Lists of the service that are held against a count, so that what is not among them is not there.
import { CodedError } from '../domain/errors/coded-error.js';
import type { IsoDate } from '../domain/source-document.js';
import type { RecordList } from './answers.js';
import type { CallOutcome } from './api-client.js';

/** What a refusal says of a list or a count says nothing about what is on it. */
export function valueOf<T>(answer: CallOutcome<T>): T {
  if (answer.outcome === 'ok') return answer.value;
  const { status, errorCode } = answer;
  throw new CodedError('SOURCE_REFUSED', `The service refused: ${answer.message}.`, {
    details: { status, errorCode },
  });
}

const PAGES_MAX = 1_000;

export type Listed<T> =
  | { readonly outcome: 'whole'; readonly records: ReadonlyMap<string, T> }
  | { readonly outcome: 'incomplete'; readonly message: string };

/** Every page, by guid: a page that brings nothing new is the end, or the same page again. */
export async function everyPage<T>(
  ask: (page: number) => Promise<RecordList<T>>,
  guidOf: (record: T) => string,
): Promise<Listed<T>> {
  const records = new Map<string, T>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const before = records.size;
    const list = await ask(page);
    const [problem] = list.problems;
    if (problem) return { outcome: 'incomplete', message: `a record cannot be read: ${problem.problem}` };
    for (const record of list.records) records.set(guidOf(record), record);
    if (records.size === before || list.hasMore === false) return { outcome: 'whole', records };
  }
  return { outcome: 'incomplete', message: `there are more than ${String(PAGES_MAX)} pages` };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function dayBeside(day: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
