// Why a record of an origin is where it is: what it waits for, how it is searched for at the service, and what a person can do now, by the
// same table that the acts themselves obey.
import type { Message } from '../../domain/message.js';
import type { SubmissionKind, SubmissionState } from '../../domain/submission.js';
import { message } from '../../language/messages.js';
import { say } from '../../language/say.js';
import type { OperationsDeps } from '../deps.js';
import type { SubmissionStory } from '../views/outgoing.js';
import type { OutgoingSwitches, StoredSubmission } from './records.js';
import { type SubmissionAct, submissionActs } from './submission-acts.js';

const HISTORY_MAX = 50;

export async function explainSubmission(
  deps: OperationsDeps,
  row: StoredSubmission,
): Promise<Pick<SubmissionStory, 'sentence' | 'lookUp' | 'canDo' | 'history'>> {
  const { language } = deps;
  const { items } = await deps.records.audit({
    chains: [row.tenantName],
    subject: row.id,
    limit: HISTORY_MAX,
  });
  return {
    sentence: say(language, await judgeSituation(deps, row)),
    lookUp: say(language, message(LOOK_UPS[row.kind], { mark: row.mark })),
    canDo: submissionActs(row).map((act) => ({
      act,
      what: say(language, message(CAN_DO[act])),
      command: commandOf(act, row),
    })),
    history: items.map(({ at, actor, action, reason }) => ({ at, actor, action, reason: reason ?? null })),
  };
}

const LOOK_UPS = {
  invoice: 'LOOK_UP_INVOICE',
  customer: 'LOOK_UP_CUSTOMER',
  item: 'LOOK_UP_ITEM',
  cost: 'LOOK_UP_COST',
  task: 'LOOK_UP_TASK',
  hours: 'LOOK_UP_HOURS',
  draft: 'LOOK_UP_NOTHING',
  order: 'LOOK_UP_NOTHING',
  quote: 'LOOK_UP_NOTHING',
  subscription: 'LOOK_UP_NOTHING',
} as const satisfies Record<SubmissionKind, string>;

const CAN_DO = {
  replay: 'CAN_REPLAY_SUBMISSION',
  skip: 'CAN_SKIP_SUBMISSION',
  withdraw: 'CAN_WITHDRAW_SUBMISSION',
  use: 'CAN_USE_CUSTOMER',
  settle: 'CAN_SETTLE_FIELDS',
} as const satisfies Record<SubmissionAct, string>;

function commandOf(act: SubmissionAct, { mark }: StoredSubmission): string {
  const more = { use: ' <guid>', settle: ' --take origin|service' };
  return `ledgerbridge outgoing ${act} ${mark}${act === 'use' || act === 'settle' ? more[act] : ''} -r "…"`;
}

const SITUATIONS: Readonly<Record<SubmissionState, (row: StoredSubmission) => Message>> = {
  received: () => message('SUBMISSION_IS_NEXT'),
  held: because,
  sending: () => message('SUBMISSION_IS_SENDING'),
  unknown: () => message('SUBMISSION_IS_IN_DOUBT'),
  created: () => message('SUBMISSION_IS_CREATED'),
  acknowledged: ({ conflicts }) =>
    conflicts.length === 0
      ? message('SUBMISSION_IS_DONE')
      : message('SUBMISSION_IN_CONFLICT', { fields: conflicts.map(({ field }) => field).join(', ') }),
  refused: because,
  parked: because,
  skipped: because,
  withdrawing: () => message('SUBMISSION_IS_WITHDRAWING'),
  withdrawn: () => message('SUBMISSION_IS_WITHDRAWN'),
};

function because({ reason }: StoredSubmission): Message {
  const cure = message('CURE', { reason: reason?.code ?? '' });
  return message('SENTENCES', { said: [reason ?? message('NO_REASON'), cure] });
}

const MOVES_BY_ITSELF: ReadonlySet<SubmissionState> = new Set([
  'received',
  'held',
  'sending',
  'unknown',
  'created',
  'withdrawing',
]);

/** What moves by itself moves only if its tenant may send and the service answers. */
async function judgeSituation(deps: OperationsDeps, row: StoredSubmission): Promise<Message> {
  const situation = SITUATIONS[row.state](row);
  if (!MOVES_BY_ITSELF.has(row.state)) return situation;
  const why = await findObstacle(deps, row);
  if (why === null) return situation;
  return row.state === 'received' ? why : message('SENTENCES', { said: [situation, why] });
}

async function findObstacle(deps: OperationsDeps, row: StoredSubmission): Promise<Message | null> {
  const { tenantName } = row;
  const [switches] = await deps.outgoing.records.switches([tenantName]);
  const outgoing = deps.connections.tenant(tenantName)?.outgoing ?? null;
  if (outgoing === null) return message('OUTGOING_IS_OFF', { tenant: tenantName });
  const held = heldBack(switches, outgoing.perDay, row);
  if (held !== null) return held;
  const down = (await deps.records.tenantsDown()).find(({ name }) => name === tenantName);
  const broken = down?.breakers.find(({ side, state }) => side === 'source' && state !== 'closed');
  if (!broken) return null;
  const code = broken.state === 'refused' ? 'WAITS_FOR_CREDENTIALS' : 'WAITS_FOR_ANSWER';
  return message(code, { side: 'source', since: broken.since });
}

function heldBack(
  switches: OutgoingSwitches | undefined,
  perDay: number,
  { state, tenantName }: StoredSubmission,
): Message | null {
  if (switches?.pausedAt)
    return message('PAUSED_BY', { by: switches.pausedBy ?? '', why: switches.pausedReason ?? '' });
  if (!switches?.confirmedAt) return message('SUBMISSION_AWAITS_PLAN', { tenant: tenantName });
  return state === 'received' && switches.sentToday >= perDay
    ? message('SUBMISSION_AWAITS_TOMORROW', { perDay })
    : null;
}
