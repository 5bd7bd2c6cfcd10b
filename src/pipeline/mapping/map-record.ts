// One record of `map --batch`: a raw document with its context and, perhaps, rules of its own over the base. Whatever is
// wrong with it, or with us, is an outcome of that record; the batch goes on.
import { isLosslessNumber } from 'lossless-json';
import { CodedError } from '../../domain/errors/coded-error.js';
import { plainJournal } from '../../domain/journal-json.js';
import { BOOKED_KINDS, type BookedKind, type SourceInvoice } from '../../domain/source-document.js';
import { decodeDocument } from '../../service/decode-document.js';
import { cureText, say } from '../../language/say.js';
import { decodeContext } from './context.js';
import { mapDocument, mapMalformed, mapRelease } from './map-document.js';
import { notPosted, stop, type MappingOutcome } from './outcome.js';
import { parseRules, type TenantRules, deepMergeRules, type RulesFragment } from './rules.js';
import { isCalendarDay } from '../../domain/local-time.js';
import type { Journal } from '../../domain/journal.js';
import { mapInvoice } from './map-invoice.js';
import { mapPayment } from './map-payment.js';

type Raw = Readonly<Record<string, unknown>>;

/** As in a rules file: no rule stands that deep. */
const RULES_DEPTH_MAX = 32;

/** Never throws: a fault of ours in one record must not cost the others their answers. */
export function mapRecord(record: unknown, rules: RuleLayers): MappingOutcome {
  try {
    return judgeRecord(record, rules);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return notPosted(stop('MAPPING_FAILED', { problem }));
  }
}

function judgeRecord(record: unknown, rules: RuleLayers): MappingOutcome {
  if (!isRecord(record)) return mapMalformed('a record must be an object with kind and document');
  const kind = BOOKED_KINDS.find((known) => known === record['kind']);
  if (kind === undefined || kind === 'summary')
    return mapMalformed('kind must be "invoice", "cost", "payment" or "release"');
  const own = record['rules'];
  if (own === undefined || own === null) return mapRaw(kind, record, rules.base);
  if (!isRecord(own)) return notPosted(stop('RULES_INVALID', { problem: 'rules must be an object.' }));
  if (isDeeperThan(RULES_DEPTH_MAX, own)) {
    const problem = `rules are nested deeper than ${String(RULES_DEPTH_MAX)} levels.`;
    return notPosted(stop('RULES_INVALID', { problem }));
  }
  try {
    return mapRaw(kind, record, rules.with(own));
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'MAPPING_RULES_INVALID') throw error;
    return notPosted(stop('RULES_INVALID', { problem: error.message }));
  }
}

function mapRaw(kind: Exclude<BookedKind, 'summary'>, record: Raw, rules: TenantRules): MappingOutcome {
  if (kind === 'payment') return mapPaymentRecord(record['document'], record['context'], rules);
  if (kind === 'release') return mapReleaseRecord(record, rules);
  const decoded = decodeDocument(kind, record['document']);
  if (decoded.outcome === 'malformed') return mapMalformed(decoded.problem);
  return mapDocument(decoded.document, rules, decodeContext(record['context'], decoded.document.guid));
}

/** Of the document as it would be booked, what `context.releasedOn` brings; whether it is a cost, its fields tell. */
function mapReleaseRecord(record: Raw, rules: TenantRules): MappingOutcome {
  const { document } = record;
  const isCost = isRecord(document) && 'cost_code' in document;
  const booked = mapRaw(isCost ? 'cost' : 'invoice', record, rules);
  if (booked.outcome !== 'post') return booked;
  const day = isRecord(record['context']) ? record['context']['releasedOn'] : '';
  return mapRelease(booked.journal, typeof day === 'string' ? day : '', rules);
}

/** The base rules, and the merged forms of the layers that were last asked for. */
export class RuleLayers {
  readonly base: TenantRules;
  readonly #merged = new Map<string, TenantRules>();
  static readonly #keptMax = 64;

  constructor(base: TenantRules) {
    this.base = base;
  }

  with(own: RulesFragment): TenantRules {
    const fragment = plainRules(own) as RulesFragment;
    const key = JSON.stringify(fragment);
    const known = this.#merged.get(key);
    if (known) return known;
    const merged = parseRules(deepMergeRules(this.base, fragment), 'The record’s rules over the base');
    const oldest = this.#merged.keys().next();
    if (this.#merged.size >= RuleLayers.#keptMax && !oldest.done) this.#merged.delete(oldest.value);
    this.#merged.set(key, merged);
    return merged;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(levels - 1, entry));
}

/** Numbers in rules are small; one that a binary float cannot hold stays text, which the rules take too. */
function plainRules(value: unknown): unknown {
  if (isLosslessNumber(value)) {
    const written = value.toString();
    return String(Number(written)) === written ? Number(written) : written;
  }
  if (Array.isArray(value)) return value.map(plainRules);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainRules(entry)]));
}

/** What `map --batch` writes: amounts as decimal strings. */
export function plainOutcome(id: unknown, mapped: MappingOutcome, withTrace: boolean): Raw {
  return {
    id,
    outcome: mapped.outcome,
    ...(mapped.outcome === 'post'
      ? {}
      : {
          reason: mapped.reason,
          sentence: say('en', mapped.why),
          cure: cureText('en', mapped.reason),
          ...(mapped.why.subject === '' ? {} : { subject: mapped.why.subject }),
        }),
    warnings: mapped.warnings.map(({ code }) => code),
    ...(mapped.outcome === 'post'
      ? {
          journal: plainJournal(mapped.journal),
          ...(mapped.settlement === undefined ? {} : { settlement: plainJournal(mapped.settlement) }),
        }
      : {}),
    ...(withTrace ? { trace: mapped.trace.map((entry) => ({ ...entry, why: say('en', entry.why) })) } : {}),
  };
}

function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

// A payment for `map`: the invoice as it shows now, and in its context how it showed before. The first reading is the one that was
// booked, each later one a payment that followed.

type RawPayment = Readonly<Record<string, unknown>>;

export function mapPaymentRecord(document: unknown, context: unknown, rules: TenantRules): MappingOutcome {
  const known = (typeof context === 'object' && context !== null ? context : {}) as RawPayment;
  const before = Array.isArray(known['before']) ? (known['before'] as unknown[]) : [];
  const readings: SourceInvoice[] = [];
  for (const raw of [...before, document]) {
    const decoded = decodeDocument('invoice', raw);
    if (decoded.outcome === 'malformed') return mapMalformed(decoded.problem);
    if (decoded.document.kind === 'invoice') readings.push(decoded.document);
  }
  const [first, ...later] = readings;
  if (!first || later.length === 0)
    return mapMalformed('context.before holds no reading of the invoice as it was booked');
  const looked = decodeContext(context, first.guid);
  const booked = mapInvoice({ ...first, accountingStatus: 'Created' }, rules, looked);
  if (booked.outcome !== 'post') return booked;
  const settled: Journal[] = booked.settlement === undefined ? [] : [booked.settlement];
  let outcome: MappingOutcome = booked;
  for (const reading of later) {
    const day = dayOf(reading, known['paidOn']);
    outcome = mapPayment(reading, rules, looked, { booked: booked.journal, settled: [...settled], day });
    if (outcome.outcome === 'post') settled.push(outcome.journal);
  }
  return outcome;
}

/** As `paidOn` says; else the day on which the invoice was touched, or its issue date. */
function dayOf({ updatedTimestamp, issueDate }: SourceInvoice, paidOn: unknown): string {
  const days = [typeof paidOn === 'string' ? paidOn : '', updatedTimestamp.slice(0, 10), issueDate];
  return days.find(isCalendarDay) ?? issueDate;
}
