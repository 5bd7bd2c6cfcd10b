// What can be done with documents.
import * as z from 'zod';
import { type Action, ACTIONS, actNamed, ACTS } from '../../operations/acts.js';
import { bodyShape } from '../../operations/field-schemas.js';
import * as acts from '../../operations/views/act.js';
import { bookedKind, PAGE_MAX, postingState, uuid } from '../../operations/views/common.js';
import { type Route, route } from '../route.js';
import { byId, listed, tenantName, why } from './fields.js';

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
  ...bodyShape(ACTS.replay.input),
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

/** Each act on one document, made from its declaration. */
const ACT_ROUTES = ACTIONS.filter((name) => !actNamed(name).ofSelection).map((name) => {
  const { texts, role, input, looksFirst } = actNamed(name);
  return route('post', `/documents/{id}/${name}`, {
    summary: texts.summary.charAt(0).toUpperCase() + texts.summary.slice(1),
    tag: 'Documents',
    role,
    params: byId,
    body: z.strictObject({
      ...why,
      ...bodyShape(input),
      ...(looksFirst ? { dryRun: z.boolean().optional() } : {}),
    }),
    response: acts.ACT_RESULTS[name] as z.ZodType<acts.ActResults[Action]>,
    handle: async ({ operations, params, body: { reason, by: person, dryRun, ...given }, act: by }) => {
      const ids = [await operations.identify(params.id)];
      const who = by({ reason, by: person });
      return operations[dryRun === true ? 'previewAct' : 'act'](name, ids, given, who);
    },
  });
});

export const ON_DOCUMENTS: readonly Route[] = [
  ...ACT_ROUTES,
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
