// What needs a person, grouped by cause: one row a cause however many documents it holds up.
import type { TenantName } from '../../domain/ids.js';
import * as z from 'zod';
import type { Message } from '../../domain/message.js';
import type { LineChange } from '../../domain/journal.js';
import { count, instant, postingState } from './common.js';

export const problem = z
  .object({
    id: z.string().describe('Names the cause in `replay --cause` and in the API.'),
    code: z.string(),
    subject: z.string(),
    sentence: z.string(),
    reason: z
      .object({ code: z.string(), params: z.record(z.string(), z.unknown()) })
      .describe('The sentence as a value.'),
    whatToDo: z.string(),
    direction: z
      .enum(['in', 'out'])
      .describe('in: documents on their way into the books; out: records on their way into the service.'),
    count,
    states: z.array(postingState),
    tenants: z.array(z.object({ name: z.string(), count })),
    firstSeenAt: instant,
    lastSeenAt: instant,
    action: z
      .enum(['replay', 'reverse', 'move-to-new', 'none'])
      .describe('What can be done for the whole group at once.'),
    needsPerson: z.boolean().describe('false: time or the ERP may cure it; it is tried again by itself.'),
    severity: z
      .enum(['info', 'warning', 'critical'])
      .describe('critical: what is in the books, or would be, may be wrong, or nothing goes on.'),
    incidentId: z
      .string()
      .nullable()
      .describe('The open incident that it is, the latest of them; null: it is a cause.'),
  })
  .meta({ id: 'Problem' });
export type Problem = Omit<z.infer<typeof problem>, 'reason'> & { reason: Message };

export const inboxRow = z
  .object({
    id: z.string().describe('Names the cause, as in Problem.'),
    tenantName: z.string(),
    code: z.string(),
    subject: z.string().describe('The missing account, cost code, dimension value, …'),
    sentence: z.string(),
    count: count.describe('Documents that wait for it.'),
    firstSeenAt: instant,
    lastSeenAt: instant,
    mend: z.object({
      where: z.enum(['tenant-file', 'erp', 'either']),
      file: z.string(),
      path: z
        .string()
        .describe('Keys in the tenant file, joined by dots; empty when it is not about the file.'),
      example: z.string().describe('YAML to start from.'),
      fill: z
        .enum(['account', 'value', 'rate'])
        .nullable()
        .describe('Where one value is all that is missing, what it is.'),
      suggestions: z
        .array(
          z.object({
            value: z.string(),
            by: z.enum(['supplier', 'customer', 'item', 'text']),
            of: z.string().describe('The supplier, the customer, the item number, or the text.'),
            times: count.describe('Documents that were booked so.'),
            lastDocument: z.string(),
            lastDate: z.string(),
          }),
        )
        .describe('How the same was booked before; for a person to take.'),
    }),
  })
  .meta({ id: 'InboxRow' });
export type InboxRow = z.infer<typeof inboxRow>;

/** In the reader's words. */
export interface FileProblem {
  readonly line: number;
  /** Keys joined by dots; empty: the file itself. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** A tenant file as it would be saved; nothing is written yet. */
export interface MendPreview {
  readonly tenantName: TenantName;
  readonly file: string;
  /** Names the content that the change was made from. */
  readonly base: string;
  readonly changes: readonly LineChange[];
  /** What the ERP lacks of it; it can be saved, and created there. */
  readonly erp: readonly { readonly message: string; readonly remedy: string }[];
  /** It would not be valid: nothing can be saved. */
  readonly problems: readonly FileProblem[];
}
