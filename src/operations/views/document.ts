// Documents in lists, and one of them with its whole story.
import * as z from 'zod';
import { ACTIONS } from '../acts.js';
import { DOCUMENT_ORDERS } from '../page-size.js';
import { amount, bookedKind, count, instant, pageOf, postingState, reason, uuid } from './common.js';
import { auditEntry } from './audit.js';
import { incident } from './incident.js';

export const documentRow = z
  .object({
    postingId: uuid,
    documentId: uuid,
    tenantName: z.string(),
    kind: bookedKind,
    guid: z.string(),
    number: z.string(),
    counterpartyName: z.string(),
    counterpartyKennitala: z.string(),
    amount,
    currency: z.string(),
    issueDate: z.string(),
    sourceStatus: z.string(),
    state: postingState,
    stateSince: instant,
    held: z.boolean(),
    reason: reason.nullable(),
    dueAt: instant.nullable(),
    tries: count,
    key: z.string(),
    generation: count,
    documentNo: z.string().nullable().describe('Its number in the ledger, once its journal was made.'),
    postingDate: z.string().nullable(),
    totalIsk: amount.nullable(),
    erpNumber: z.string().nullable(),
    discoveredAt: instant,
    postedAt: instant.nullable(),
    acknowledgedAt: instant.nullable(),
  })
  .meta({ id: 'Document' });
export type DocumentRow = z.infer<typeof documentRow>;

export const documentPage = pageOf(documentRow)
  .extend({
    order: z.enum(DOCUMENT_ORDERS),
    tooMany: z
      .boolean()
      .describe('The text fits more documents than can be put in order: narrow the search.'),
  })
  .meta({ id: 'DocumentPage' });
export type DocumentPage = z.infer<typeof documentPage>;

export const journalLine = z.object({
  account: z.string(),
  role: z.string(),
  debit: amount,
  credit: amount,
  currency: z.string().optional(),
  currencyAmount: amount.optional(),
  vatCode: z.string().optional(),
  vatBase: amount.optional(),
  counterparty: z.string().optional(),
  dueDate: z.string().optional(),
  dimensions: z.record(z.string(), z.string()).optional(),
  text: z.string(),
});
export const journal = z
  .object({
    documentNo: z.string(),
    externalReference: z.string(),
    postingDate: z.string(),
    documentDate: z.string(),
    dueDate: z.string().optional(),
    settlementDate: z.string().optional(),
    appliesTo: z.string().optional(),
    appliesToNo: z.string().optional(),
    party: z
      .object({
        kind: z.enum(['customer', 'supplier']),
        kennitala: z.string(),
        name: z.string(),
        address: z.string().optional(),
        zip: z.string().optional(),
        city: z.string().optional(),
        email: z.string().optional(),
      })
      .optional(),
    attachments: z.array(z.string()).optional(),
    description: z.string(),
    currency: z.string(),
    exchangeRate: amount,
    lines: z.array(journalLine),
  })
  .meta({ id: 'Journal' });
export type JournalView = z.infer<typeof journal>;

export const traceEntry = z.object({
  journal: z.enum(['document', 'settlement']),
  line: z.int().nullable(),
  field: z.string(),
  value: z.string(),
  rule: z.string(),
  why: z.string(),
});

export const erpReference = z
  .object({ id: z.string(), number: z.string().optional().describe('What a bookkeeper sees.') })
  .meta({ id: 'ErpReference' });

export const attempt = z
  .object({
    number: z.int(),
    part: z.string().describe('main, settlement or reversal.'),
    key: z.string(),
    startedAt: instant,
    lastSentAt: instant.nullable(),
    finishedAt: instant.nullable(),
    sends: count,
    outcome: z
      .string()
      .nullable()
      .describe('null: under way, or its process died: then the outcome is unknown.'),
    message: z.string().nullable(),
    erpReference: erpReference.nullable(),
    request: z.string().describe('What was sent, secrets masked.'),
  })
  .meta({ id: 'Attempt' });

export const writeBack = z
  .object({
    number: z.int(),
    wanted: z.string(),
    message: z.string(),
    state: z.string(),
    sends: count,
    answer: z.string().nullable(),
    decidedAt: instant,
    sentAt: instant.nullable(),
    acknowledgedAt: instant.nullable(),
  })
  .meta({ id: 'WriteBack' });

export const timelineStep = z.object({
  step: z.enum(['found', 'mapped', 'sent', 'posted', 'written-back']),
  at: instant.nullable(),
  state: z.enum(['done', 'now', 'failed', 'ahead']),
});

export const sourceChange = z.object({ field: z.string(), before: z.string(), now: z.string() });

export const sameDay = z
  .object({
    postingId: uuid,
    number: z.string(),
    counterpartyName: z.string(),
    totalIsk: amount,
    state: postingState,
  })
  .meta({ id: 'SameDay' });
export type SameDay = z.infer<typeof sameDay>;

export const story = z
  .object({
    document: documentRow,
    sentence: z.string().describe('Why it is where it is, and what would move it.'),
    actions: z.array(z.enum(ACTIONS)).describe('What can be done with it now.'),
    timeline: z.array(timelineStep),
    snapshot: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('As the source showed it when it was last read.'),
    snapshotAt: instant.nullable(),
    sourceNow: z
      .object({
        status: z.string(),
        changes: z.array(sourceChange).describe('What differs from the snapshot.'),
      })
      .nullable()
      .describe('Only when asked for: what the source shows at this moment.'),
    journal: journal.nullable(),
    settlement: journal.nullable(),
    trace: z.array(traceEntry),
    warnings: z.array(z.object({ code: z.string(), sentence: z.string() })),
    rulesVersion: z.string().nullable(),
    erpReference: erpReference.nullable(),
    settlementReference: erpReference.nullable(),
    entryUrl: z
      .string()
      .nullable()
      .describe('Where a person sees the entry in the ERP; null: nowhere that is known.'),
    summary: sameDay.nullable().describe('The journal of its day, where it is booked with others.'),
    members: z.array(sameDay).describe('Of the journal of a day: the documents in it.'),
    attempts: z.array(attempt),
    writeBacks: z.array(writeBack),
    audit: z.array(auditEntry).describe('The latest 200.'),
    incidents: z.array(incident),
  })
  .meta({ id: 'Story' });
export type Story = z.infer<typeof story>;
