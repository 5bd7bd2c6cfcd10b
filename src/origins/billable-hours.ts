// Hours that stand at the service, as an origin of what is to be billed: the hours of a customer in a period that is over are one invoice
// or draft. It is gathered from what the service shows, whoever logged it; each hour belongs to the period in which it was first seen, so
// none is billed twice, and hours that people have invoiced at the service are not billed at all. Hours that change afterwards change the record, and that is told to a person like any other late change.
import { createHash } from 'node:crypto';
import type { Clock } from '../domain/runtime.js';
import { Decimal, sum } from '../domain/money.js';
import { marksIn, type SubmissionKind } from '../domain/submission.js';
import { contentText, readContent } from './content.js';
import { told, type Words } from './told.js';
import {
  type Origin,
  type OriginChanges,
  type OriginProblem,
  type OriginRecord,
  problemAt,
  type Told,
} from './origin.js';

export interface BillableTask {
  readonly guid: string;
  readonly number: string;
  readonly name: string;
  readonly kennitala: string;
  readonly customerName: string;
  readonly description: string;
  readonly unitPrice: string;
  readonly tax: string;
  /** The service calls it invoiced: none of its hours is to be billed any more. */
  readonly isInvoiced: boolean;
  /** Hours that were written down by this day may be on an invoice that people made of the task; null: there is none. */
  readonly invoicedUntil: string | null;
  readonly logs: readonly {
    readonly guid: string;
    readonly date: string;
    readonly hours: string;
    readonly writtenOn: string;
  }[];
}

export interface TaskSource {
  /** Those whose hours are to be billed. `lately`: as they were a moment ago. */
  tasks(how: 'now' | 'lately'): Promise<readonly BillableTask[]>;
  end(guid: string): Promise<void>;
}

export interface BillingSettings {
  readonly bill: 'draft' | 'invoice';
  readonly period: 'month' | 'week';
  /** Hours before this day are somebody else's. */
  readonly since: string;
  /** Days after the end of a period, for those who write their hours late. */
  readonly afterDays: number;
  readonly endTasks: boolean;
}

interface Cursor {
  readonly at: number;
  /** The period of every hour that was gathered. */
  readonly gathered: Readonly<Record<string, string>>;
  /** The hash of what was handed over, by reference. */
  readonly handed: Readonly<Record<string, string>>;
}

/** Between two looks at all tasks. */
const LOOK_MS = 15 * 60 * 1_000;
/** Of a period, by its first day: older hours are not kept in mind. */
const KEPT_DAYS = 430;

interface Line {
  readonly task: BillableTask;
  readonly hours: Decimal;
}

export class BillableHours implements Origin {
  readonly name: string;
  /** People invoice hours at the service while a bill of them waits here. */
  readonly takesBack = 'lines';
  readonly #settings: BillingSettings;
  readonly #source: TaskSource;
  readonly #clock: Clock;

  constructor(name: string, settings: BillingSettings, source: TaskSource, clock: Clock) {
    this.name = name;
    this.#settings = settings;
    this.#source = source;
    this.#clock = clock;
  }

  async changes(cursor: string | null): Promise<OriginChanges> {
    const now = this.#clock.now().getTime();
    const before = cursorOf(cursor);
    if (cursor !== null && now - before.at < LOOK_MS && now >= before.at)
      return { records: [], problems: [], looked: [], cursor, more: false, isResting: true };
    const tasks = await this.#source.tasks('now');
    const gathered: Record<string, string> = { ...before.gathered };
    const problems: OriginProblem[] = [];
    const groups = this.#gather(tasks, gathered, problems);
    const records: OriginRecord[] = [];
    for (const [reference, lines] of groups) {
      const made = this.#record(reference, lines);
      if ('problem' in made) problems.push(made);
      else records.push(made);
    }
    const kept = forgetOld(gathered, dayAfter(this.#today(), -KEPT_DAYS));
    return {
      records: records.filter(({ reference, content }) => before.handed[reference] !== hashOf(content)),
      problems,
      // All of them, so that no problem outlives its task.
      looked: ['tasks'],
      cursor: JSON.stringify({ at: now, gathered: kept, handed: handedOver(records) }),
      more: false,
    };
  }

  /** An hour counts in the period of the cursor, as in `changes`: otherwise the two never agree on hours that moved. */
  async read(
    kind: SubmissionKind,
    reference: string,
    _place: string,
    cursor: string | null = null,
  ): Promise<OriginRecord | null> {
    const { gathered } = cursorOf(cursor);
    const groups = this.#gather(await this.#source.tasks('lately'), { ...gathered }, []);
    const lines = groups.get(reference);
    if (kind !== this.#settings.bill || lines === undefined) return null;
    const made = this.#record(reference, lines);
    return 'problem' in made ? null : made;
  }

  /** A task that is ended is not started again by us; telling twice ends once. */
  async tell({ state, reference }: Told): Promise<void> {
    if (state !== 'created' || !this.#settings.endTasks) return;
    const lines = this.#gather(await this.#source.tasks('lately'), {}, []).get(reference) ?? [];
    for (const { task } of lines) await this.#source.end(task.guid);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #today(): string {
    return this.#clock.now().toISOString().slice(0, 10);
  }

  /** By customer and period, what is over. */
  #gather(
    tasks: readonly BillableTask[],
    gathered: Record<string, string>,
    problems: OriginProblem[],
  ): Map<string, Line[]> {
    const groups = new Map<string, Line[]>();
    for (const task of [...tasks].sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }))) {
      if (task.isInvoiced) continue;
      const place = `tasks:${task.number}`;
      const byPeriod = this.#periodsOf(task, gathered, (words) => problems.push(problemAt(place, words)));
      if (byPeriod.size > 0 && task.kennitala === '') {
        problems.push(problemAt(place, told('HOURS_WITHOUT_CUSTOMER')));
        continue;
      }
      for (const [period, hours] of byPeriod) {
        const reference = `hours ${period} ${task.kennitala}`;
        groups.set(reference, [...(groups.get(reference) ?? []), { task, hours: sum(hours) }]);
      }
    }
    return groups;
  }

  #periodsOf(task: BillableTask, gathered: Record<string, string>, problem: (words: Words) => void) {
    const byPeriod = new Map<string, Decimal[]>();
    for (const { guid, date, hours, writtenOn } of task.logs) {
      const period = periodOf(this.#settings.period, date);
      if (date < this.#settings.since || new Decimal(hours).isZero() || !this.#isOver(period)) continue;
      if (task.invoicedUntil !== null && writtenOn <= task.invoicedUntil) {
        problem(told('HOURS_MAY_BE_BILLED', { hours, date }));
        continue;
      }
      const first = (gathered[guid] ??= period.name);
      if (first === period.name) byPeriod.set(first, [...(byPeriod.get(first) ?? []), new Decimal(hours)]);
      else problem(told('HOURS_BILLED_BEFORE', { hours, date, period: first }));
    }
    return byPeriod;
  }

  #isOver({ last }: Period): boolean {
    return this.#today() > dayAfter(last, this.#settings.afterDays);
  }

  #record(reference: string, lines: readonly Line[]): OriginRecord | OriginProblem {
    const [, name = '', kennitala = ''] = reference.split(' ');
    const { last } = periodOf(this.#settings.period, name.length === 7 ? `${name}-01` : name);
    const [first] = lines;
    const place = `tasks:${lines.map(({ task }) => task.number).join(',')}`.slice(0, 200);
    const customerName = first?.task.customerName ?? '';
    const bill = {
      customer: { kennitala, ...(customerName === '' ? {} : { name: customerName }) },
      issue_date: dayAfter(last, this.#settings.afterDays + 1),
      lines: lines.map((line) => lineOf(line, name)),
    };
    const read = readContent(this.#settings.bill, bill, reference);
    if (read.outcome === 'problem') return problemAt(place, read.words);
    return { kind: this.#settings.bill, reference, place, content: contentText(read.content) };
  }
}

/** The service takes whole quantities only: hours that are not whole are one line with their sum. */
function lineOf({ task, hours }: Line, period: string): Record<string, string> {
  const name = marksIn(task.name)
    .reduce((text, mark) => text.replace(mark, ''), task.name)
    .trim();
  const about = { item_number: `T${task.number}-${period}`, tax: task.tax || 'Z' };
  if (hours.isInteger())
    return { ...about, description: name, qty: hours.toFixed(), uom: 'HUR', unit_price: task.unitPrice };
  const price = new Decimal(task.unitPrice);
  return {
    ...about,
    description: `${name} (${hours.toFixed()} × ${price.toFixed()})`,
    ...{ qty: '1', uom: 'C62', unit_price: hours.times(price).toDecimalPlaces(2).toFixed() },
  };
}

function cursorOf(cursor: string | null): Cursor {
  const none: Cursor = { at: 0, gathered: {}, handed: {} };
  // One of before has no hashes: what it handed over is handed over once more, which changes nothing.
  return cursor === null || cursor === '' ? none : { ...none, ...(JSON.parse(cursor) as Partial<Cursor>) };
}

function handedOver(records: readonly OriginRecord[]): Record<string, string> {
  return Object.fromEntries(records.map(({ reference, content }) => [reference, hashOf(content)]));
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function forgetOld(gathered: Readonly<Record<string, string>>, oldest: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(gathered).filter(([, period]) => period >= oldest.slice(0, period.length)),
  );
}

// The weeks and months by which hours are billed.
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Period {
  /** 2026-10, or the Monday of a week. */
  readonly name: string;
  readonly last: string;
}

export function periodOf(kind: 'month' | 'week', day: string): Period {
  if (kind === 'month') {
    const name = day.slice(0, 7);
    const [year = 0, month = 1] = name.split('-').map(Number);
    return { name, last: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
  }
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const name = dayAfter(day, -weekday);
  return { name, last: dayAfter(name, 6) };
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
