// What can be done with documents.
import * as z from 'zod';
import * as acts from '../../operations/views/act.js';
import { bookedKind, isoDate, PAGE_MAX, postingState, uuid } from '../../operations/views/common.js';
import { type Route, route } from '../route.js';
import { act, byId, done, listed, tenantName, why } from './fields.js';

const selection = {
  documents: z
    .array(z.string().max(100))
    .min(1)
    .max(PAGE_MAX)
    .optional()
    .describe('Ids, guids, numbers or keys.'),
  cause: z.string().max(500).optional().describe('`id` of a Problem.'),
  tenant: tenantName.optional(),
  states: z.array(postingState).optional(),
  kind: bookedKind.optional(),
  perSecond: z.int().min(1).max(1000).optional().describe('The pace; 20 unless given.'),
  surelyAbsent: z
    .boolean()
    .optional()
    .describe('Somebody looked in the ERP: what may have been sent is not there.'),
};

type SelectionBody = z.output<z.ZodObject<typeof selection>>;

async function chosen(
  operations: { identify(reference: string, tenant?: string): Promise<string> },
  body: SelectionBody,
) {
  const { documents, cause, tenant, states, kind } = body;
  if (documents === undefined) return { cause, tenant, states, kind };
  const postingIds: string[] = [];
  for (const reference of documents) postingIds.push(await operations.identify(reference, tenant));
  return { postingIds, cause, states, kind };
}

/** The acts on one document that take a reason and nothing else. */
const DECISIONS = (['hold', 'release'] as const).map((name) =>
  route('post', `/documents/{id}/${name}`, {
    summary: name === 'hold' ? 'Keep it from being posted until released' : 'Let a held document go on',
    tag: 'Documents',
    params: byId,
    body: act,
    response: acts.actResult,
    handle: async ({ operations, params, body, act: by }) =>
      operations[name]([await operations.identify(params.id)], by(body)),
  }),
);

export const ON_DOCUMENTS: readonly Route[] = [
  ...DECISIONS,
  route('post', '/documents/{id}/skip', {
    summary: 'Decide that it is not booked; the source is told Skipped',
    tag: 'Documents',
    params: byId,
    body: z.strictObject({
      ...why,
      writeBack: z.boolean().optional().describe('false: do not tell the source.'),
    }),
    response: acts.actResult,
    handle: async ({ operations, params, body, act: by }) =>
      operations.skip([await operations.identify(params.id)], by(body), { writeBack: body.writeBack }),
  }),
  route('post', '/documents/{id}/mark-posted', {
    summary: 'Say which entry of the ERP it is; the entry is read and compared first',
    tag: 'Documents',
    params: byId,
    body: z.strictObject({
      ...why,
      entry: z.string().min(1).max(200),
      acceptDifferences: z
        .boolean()
        .optional()
        .describe(
          'It was booked by hand on other accounts, and the total agrees; or in krónur that cannot be compared with a foreign total. Audited.',
        ),
      dryRun: z.boolean().optional(),
    }),
    response: acts.markResult,
    handle: async ({ operations, params, body, act: by }) =>
      operations.markPosted(await operations.identify(params.id), body.entry, by(body), body),
  }),
  route('post', '/documents/{id}/reverse', {
    summary: 'Undo its entry by another one, and post it again if wanted',
    tag: 'Documents',
    params: byId,
    body: z.strictObject({
      ...why,
      date: isoDate.optional(),
      repost: z.boolean().optional(),
      surelyAbsent: z
        .boolean()
        .optional()
        .describe('Somebody looked in the ERP: the settlement that may have been sent is not there.'),
      dryRun: z.boolean().optional(),
    }),
    response: acts.reverseResult,
    handle: async ({ operations, params, body, act: by }) =>
      operations.reverse(await operations.identify(params.id), by(body), body),
  }),
  route('post', '/documents/{id}/repost', {
    summary: 'Post a document again whose entry was reversed',
    tag: 'Documents',
    params: byId,
    body: act,
    response: done,
    handle: async ({ operations, params, body, act: by }) => {
      await operations.repost(await operations.identify(params.id), by(body));
      return { changed: true };
    },
  }),
  route('post', '/documents/{id}/move-to-new', {
    summary: 'Move a cost in Error or Skipped back to New at the source',
    tag: 'Documents',
    params: byId,
    body: act,
    response: acts.moveToNewResult,
    handle: async ({ operations, params, body, act: by }) =>
      operations.moveToNew(await operations.identify(params.id), by(body)),
  }),
  route('post', '/replays/preview', {
    summary: 'What a replay would do, and what it would leave alone and why',
    tag: 'Replay',
    role: 'viewer',
    body: z.strictObject(selection),
    response: acts.replayPreview,
    handle: async ({ operations, body }) => operations.previewReplay(await chosen(operations, body), body),
  }),
  route('post', '/replays', {
    summary: 'Replay: answers at once, the run goes on by itself',
    tag: 'Replay',
    body: z.strictObject({ ...why, ...selection }),
    status: 202,
    response: acts.run,
    handle: async ({ operations, body, act: by }) => {
      const run = await operations.startReplay(await chosen(operations, body), by(body), body);
      // Whatever happens to this process, the run is on record and somebody goes on with it.
      operations.workOff({ runId: run.id }).catch(() => undefined);
      return run;
    },
  }),
  route('get', '/runs', {
    summary: 'The latest runs and how far they are',
    tag: 'Replay',
    response: listed(acts.run),
    handle: ({ operations }) => operations.runs(),
  }),
  route('get', '/runs/{id}', {
    summary: 'How far a run is',
    tag: 'Replay',
    params: z.object({ id: uuid }),
    response: acts.run,
    handle: ({ operations, params }) => operations.run(params.id),
  }),
];
