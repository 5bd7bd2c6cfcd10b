// What acts answer: previews, results of single acts, and runs over many documents.
import * as z from 'zod';
import type { Action } from '../acts.js';
import { amount, count, instant, isoDate, postingState, uuid } from './common.js';
import { journal } from './document.js';

export const PREVIEW_SHOWN_MAX = 200;

export const replayPreview = z
  .object({
    total: count,
    eligible: count,
    restsAgain: count.describe(
      'Of the eligible: those that will rest again, as far as that is known before they are tried.',
    ),
    ineligible: count,
    tooMany: z.boolean().describe('More were chosen than one run takes; the rest needs another run.'),
    perSecond: z.int(),
    secondsNeeded: count.describe('At that pace.'),
    groups: z.array(
      z.object({
        eligible: z.boolean(),
        sentence: z.string().describe('What will happen, or why nothing will.'),
        instead: z.string().nullable().describe('The act that would help instead.'),
        count,
      }),
    ),
    items: z
      .array(
        z.object({
          postingId: uuid,
          tenantName: z.string(),
          state: postingState,
          eligible: z.boolean(),
          sentence: z.string(),
        }),
      )
      .describe(`The first ${String(PREVIEW_SHOWN_MAX)}.`),
  })
  .meta({ id: 'ReplayPreview' });
export type ReplayPreview = z.infer<typeof replayPreview>;

export const run = z
  .object({
    id: uuid,
    kind: z.string(),
    actor: z.string(),
    reason: z.string(),
    state: z.enum(['running', 'done']),
    perSecond: z.int(),
    total: count,
    done: count.describe('Looked at.'),
    moved: count.describe('Set going.'),
    refused: count.describe('Left alone, each with its reason.'),
    arrived: count.describe('Of those set going: in the books by now.'),
    rested: count.describe('Of those set going: resting again by now, each with its reason.'),
    createdAt: instant,
    finishedAt: instant.nullable(),
    refusals: z.array(z.object({ why: z.string(), count })),
    rests: z.array(z.object({ why: z.string(), count })),
  })
  .meta({ id: 'Run' });
export type RunView = z.infer<typeof run>;

export const actResult = z
  .object({
    done: z.array(uuid),
    refused: z.array(z.object({ postingId: uuid, why: z.string() })),
  })
  .meta({ id: 'ActResult' });
export type ActResult = z.infer<typeof actResult>;

export const markResult = z
  .object({
    postingId: uuid,
    marked: z.boolean().describe('false on a dry run.'),
    entry: z.object({ id: z.string(), number: z.string(), postingDate: z.string(), totalIsk: amount }),
    differences: z.array(z.string()),
  })
  .meta({ id: 'MarkResult' });
export type MarkResult = z.infer<typeof markResult>;

export const reverseResult = z
  .object({
    postingId: uuid,
    reversed: z.boolean().describe('false on a dry run.'),
    entries: z.array(z.object({ part: z.string(), original: z.string(), reversal: z.string().nullable() })),
    date: isoDate,
    reposted: z.boolean(),
  })
  .meta({ id: 'ReverseResult' });
export type ReverseResult = z.infer<typeof reverseResult>;

export const moveToNewResult = z
  .object({ postingId: uuid, sourceStatus: z.string(), sentence: z.string() })
  .meta({ id: 'MoveToNewResult' });
export type MoveToNewResult = z.infer<typeof moveToNewResult>;

export const changed = z.object({ changed: z.boolean() });

/** What each act answers. */
export const ACT_RESULTS = {
  replay: run,
  skip: actResult,
  hold: actResult,
  release: actResult,
  'mark-posted': markResult,
  reverse: reverseResult,
  repost: changed,
  'move-to-new': moveToNewResult,
} as const satisfies Readonly<Record<Action, z.ZodType>>;
export type ActResults = { readonly [Name in Action]: z.infer<(typeof ACT_RESULTS)[Name]> };

export const cursorView = z
  .object({
    tenantName: z.string(),
    kind: z.enum(['invoice', 'cost']),
    fromDate: isoDate,
    lastSweepAt: instant.nullable(),
    lastFullSweepAt: instant.nullable(),
    fullSweepDue: z.boolean(),
  })
  .meta({ id: 'Cursor' });
export type CursorView = z.infer<typeof cursorView>;

export const plan = z
  .object({
    tenantName: z.string(),
    confirmed: z.boolean(),
    examined: count,
    waiting: count.describe('All that wait; more than were examined when there are very many.'),
    sentence: z
      .string()
      .describe('What confirming it sets going: posted, set to Error and Skipped at the service, waiting.'),
    outcomes: z.record(
      z.enum(['post', 'skip', 'defer', 'hold', 'park', 'reject', 'gone', 'unreadable']),
      count,
    ),
    reasons: z.array(
      z.object({ outcome: z.string(), code: z.string(), subject: z.string(), sentence: z.string(), count }),
    ),
    accounts: z.array(
      z.object({
        account: z.string(),
        name: z.string().nullable().describe('As the ERP calls it; null: it does not say.'),
        debit: amount,
        credit: amount,
        lines: count,
      }),
    ),
    totalIsk: amount.describe('Debits, which equal the credits.'),
    erpAsked: z
      .boolean()
      .describe('false: the ERP could not be asked, so nothing is known of its accounts and periods.'),
    findings: z.array(
      z.object({
        severity: z.enum(['ok', 'warning', 'error']),
        code: z.string().optional().describe('OTHER_COMPANY: the books are those of another company.'),
        message: z.string(),
        remedy: z.string().optional(),
      }),
    ),
    journals: z.array(
      z.object({
        postingId: uuid,
        guid: z.string(),
        key: z.string(),
        part: z.enum(['main', 'settlement']),
        journal,
      }),
    ),
    journalsLeftOut: count,
  })
  .meta({ id: 'Plan' });
export type PlanView = z.infer<typeof plan>;

export const reconciliation = z
  .object({
    tenant: z.string(),
    from: isoDate,
    to: isoDate,
    counts: z.array(z.object({ kind: z.string(), status: z.string(), source: count, local: count })),
    entries: z.object({ erp: count, local: count }),
    differences: z.array(
      z.object({
        code: z.string(),
        subject: z.string(),
        sentence: z.string(),
        params: z.record(z.string(), z.unknown()).exactOptional(),
      }),
    ),
    clean: z.boolean(),
  })
  .meta({ id: 'Reconciliation' });

export const token = z
  .object({
    id: uuid,
    name: z.string(),
    role: z.enum(['viewer', 'operator', 'admin']),
    companies: z
      .array(z.string())
      .nullable()
      .describe('The only companies it is good for; null: all of them.'),
    createdBy: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'Token' });
export type TokenView = z.infer<typeof token>;

export const channelTrial = z
  .object({
    channel: z.string().describe('Its place in the configuration: (all)/email/1, hraun/webhook/2.'),
    type: z.enum(['webhook', 'slack', 'email']),
    delivered: z.boolean(),
    answer: z.string().describe('What the receiver said.'),
  })
  .meta({ id: 'ChannelTrial' });
export type ChannelTrial = z.infer<typeof channelTrial>;
