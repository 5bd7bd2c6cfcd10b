// The other direction as people see it; the API describes itself by these.
import * as z from 'zod';
import { SUBMISSION_KINDS, SUBMISSION_STATES } from '../../domain/submission.js';
import { instant, reason, uuid } from './common.js';

const text = z.string();
const maybe = z.string().nullable();

export const submissionRow = z
  .object({
    id: uuid,
    tenantName: text,
    origin: text.describe('Name of the origin; empty: a customer that an invoice needs.'),
    kind: z.enum(SUBMISSION_KINDS),
    reference: text.describe("The origin's own name for it."),
    mark: text.describe('What it carries at the service.'),
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
  })
  .meta({ id: 'Submission' });

export const submissionStory = submissionRow
  .extend({
    content: z.record(z.string(), z.unknown()),
    generated: z
      .array(z.object({ guid: text, number: text }))
      .describe('Invoices that the template of a subscription made, the latest first.'),
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
