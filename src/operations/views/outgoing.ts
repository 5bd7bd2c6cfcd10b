// The other direction as people see it; the API describes itself by these.
import * as z from 'zod';
import { SUBMISSION_KINDS, SUBMISSION_STATES } from '../../domain/submission.js';
import { SUBMISSION_ACTS } from '../outgoing/submission-acts.js';
import { instant, reason, uuid } from './common.js';

const text = z.string();
const maybe = z.string().nullable();

const fieldConflict = z
  .object({
    field: text,
    agreed: z.object({ origin: text, service: text }).describe('What each had when they were last at one.'),
    origin: text,
    service: text,
  })
  .meta({ id: 'FieldConflict' });

export const submissionRow = z
  .object({
    id: uuid,
    tenantName: text,
    origin: text.describe('Name of the origin; empty: a customer that an invoice needs.'),
    kind: z.enum(SUBMISSION_KINDS),
    reference: text.describe("The origin's own name for it."),
    mark: text.describe('What it carries at the service.'),
    twinOf: maybe.describe(
      'Mark of the record that came first under the same reference; null: there is none.',
    ),
    place: text.describe('Where it stands at the origin.'),
    state: z.enum(SUBMISSION_STATES),
    since: instant,
    reason: reason.nullable(),
    amount: maybe,
    currency: maybe,
    issueDate: maybe,
    counterparty: text,
    guid: maybe,
    number: maybe,
    paymentLink: maybe,
    sends: z.int(),
    dueAt: instant.nullable(),
    receivedAt: instant,
    conflicts: z
      .array(fieldConflict)
      .describe('Fields that its origin and the service have both changed; the service keeps what it has.'),
    acts: z.array(z.enum(SUBMISSION_ACTS)).describe('What a person can do to it as it is now.'),
    agreedAt: instant.nullable().describe('When the two were last held against each other.'),
  })
  .meta({ id: 'Submission' });

export const submissionStory = submissionRow
  .extend({
    sentence: text.describe('Why it is where it is, and what would move it.'),
    lookUp: text.describe('How it is searched for at the service when it is not known whether it arrived.'),
    canDo: z
      .array(z.object({ act: z.enum(SUBMISSION_ACTS), what: text, command: text }))
      .describe('What a person can do to it now.'),
    history: z
      .array(z.object({ at: instant, actor: text, action: text, reason: maybe }))
      .describe('The audit, newest first.'),
    content: z.record(z.string(), z.unknown()),
    generated: z
      .array(z.object({ guid: text, number: text }))
      .describe('Invoices that the template of a subscription made, the latest first.'),
    files: z
      .array(z.object({ name: text, bytes: text }))
      .describe('Files that go with it: uploaded before the request that names them.'),
    attempts: z.array(
      z.object({
        number: z.int(),
        startedAt: instant,
        finishedAt: instant.nullable(),
        outcome: maybe,
        message: maybe,
        request: text,
      }),
    ),
  })
  .meta({ id: 'SubmissionStory' });

export const outgoingStatus = z
  .object({
    tenantName: text,
    isOn: z.boolean().describe('Its file has a section outgoing.'),
    origins: z.array(text),
    confirmed: z.object({ at: instant, by: text }).nullable(),
    paused: z.object({ at: instant, by: text, reason: text }).nullable(),
    sentToday: z.int().describe('In the last 24 hours.'),
    perDay: z.int().nullable(),
    counts: z.record(z.string(), z.int()),
    problems: z.int().describe('Records that cannot be read.'),
    conflicts: z.int().describe('Records with fields that both sides have changed.'),
  })
  .meta({ id: 'OutgoingStatus' });

export const outgoingPlan = z
  .object({
    tenantName: text,
    planned: z.array(
      z.object({
        id: uuid,
        kind: z.enum(SUBMISSION_KINDS),
        reference: text,
        counterparty: text,
        amount: maybe,
        currency: maybe,
        issueDate: maybe,
        place: text,
        files: z.array(text).describe('Names of files that go with it.'),
        problem: maybe.describe('Why it would not be sent; null: it would.'),
      }),
    ),
    isWhole: z.boolean().describe('false: there are more.'),
    sums: z.array(z.object({ kind: text, currency: text, count: z.int(), amount: text })),
    problems: z.int().describe('Records that cannot be read.'),
  })
  .meta({ id: 'OutgoingPlan' });

export const originProblem = z
  .object({ tenantName: text, origin: text, place: text, problem: text, seenAt: instant })
  .meta({ id: 'OriginProblem' });

export type SubmissionRow = z.output<typeof submissionRow>;
export type SubmissionStory = z.output<typeof submissionStory>;
export type OutgoingStatus = z.output<typeof outgoingStatus>;
export type OutgoingPlan = z.output<typeof outgoingPlan>;
export type OriginProblemView = z.output<typeof originProblem>;
