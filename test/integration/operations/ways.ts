// Every operation and how a person reaches it: by a command and by a route. A new operation does not compile before it is in
// this table, and every-operation.test.ts fails until both ways were walked or it says here why one is missing.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { Action } from '../../../src/operations/acts.js';
import type { Operations } from '../../../src/operations/operations.js';
import type { Bed } from '../../support/bridge-bed.js';
import { type Documented, routeOf } from '../api/documented.js';
import { run, type World } from '../../unit/cli/run-cli.js';

type Given = Readonly<Record<string, string>>;
/** A sentence is the reason why there is no such way. */
type Command = ((given: Given) => string[]) | string;
type Request = ((given: Given) => readonly ['GET' | 'POST', string, object?]) | string;

const INSIDE = 'A part of other operations, not one of its own.';
const onDocument = (name: string, more: (given: Given) => object = () => ({})) => ({
  cli: ({ id }: Given) => [name, id!],
  api: (given: Given) => ['POST', `/documents/${given['id']!}/${name}`, more(given)] as const,
});
const onTenant = (name: string) => ({
  cli: ({ tenant }: Given) => [name, tenant!],
  api: ({ tenant }: Given) => ['POST', `/tenants/${tenant!}/${name}`, {}] as const,
});

const onOutgoing = (name: string) => ({
  cli: ({ tenant }: Given) => ['outgoing', name, tenant!, '-r', REASON, '--by', PERSON],
  api: ({ tenant }: Given) => ['POST', `/tenants/${tenant!}/outgoing/${name}`, {}] as const,
});
const onSubmission = (name: string) => ({
  cli: ({ id }: Given) => ['outgoing', name, id!, '-r', REASON, '--by', PERSON],
  api: ({ id }: Given) => ['POST', `/submissions/${id!}/${name}`, {}] as const,
});

/** An act goes by its own name. */
export type Walked = Exclude<keyof Operations, 'act' | 'previewAct'> | Exclude<Action, 'replay'>;

export const WAYS: Readonly<Record<Walked, { readonly cli: Command; readonly api: Request }>> = {
  within: { cli: INSIDE, api: INSIDE },
  overview: { cli: () => ['status'], api: () => ['GET', '/overview'] },
  testNotifications: {
    cli: ({ tenant }) => ['notify', 'test', '-t', tenant!],
    api: ({ tenant }) => ['POST', '/notifications/test', { tenant: tenant! }],
  },
  isBridgeRunning: {
    cli: 'Said on standard error by whatever waits for a bridge; commands.test.ts reads it.',
    api: 'GET /ready, outside of the API; operator-api.test.ts asks it.',
  },
  throughput: {
    cli: 'A curve for the eye; the dashboard draws it.',
    api: ({ tenant }) => ['GET', `/throughput?tenant=${tenant!}&hours=2`],
  },
  schedules: { cli: () => ['schedules'], api: () => ['GET', '/schedules'] },
  documents: {
    cli: ({ text }) => ['documents', text!],
    api: ({ text }) => ['GET', `/documents?text=${text!}`],
  },
  explain: {
    cli: ({ id }) => ['explain', id!, '--source'],
    api: ({ id }) => ['GET', `/documents/${id!}?askSource=true`],
  },
  identify: { cli: INSIDE, api: INSIDE },
  problems: {
    cli: ({ tenant }) => ['problems', '-t', tenant!],
    api: ({ tenant }) => ['GET', `/problems?tenant=${tenant!}`],
  },
  inbox: {
    cli: ({ tenant }) => ['inbox', '-t', tenant!],
    api: ({ tenant }) => ['GET', `/inbox?tenant=${tenant!}`],
  },
  previewMend: {
    cli: 'Whoever has the command line has the file and an editor.',
    api: 'For the inbox page alone, where a person looks at the difference.',
  },
  mend: {
    cli: 'Whoever has the command line has the file and an editor.',
    api: 'For the inbox page alone, where a person looks at the difference.',
  },
  incidents: {
    cli: ({ tenant }) => ['incidents', '-t', tenant!],
    api: ({ tenant }) => ['GET', `/incidents?tenant=${tenant!}`],
  },
  acknowledgeIncident: {
    cli: ({ id }) => ['incidents', 'acknowledge', id!],
    api: ({ id }) => ['POST', `/incidents/${id!}/acknowledge`, {}],
  },
  resolveIncident: {
    cli: ({ id }) => ['incidents', 'resolve', id!],
    api: ({ id }) => ['POST', `/incidents/${id!}/resolve`, {}],
  },
  audit: {
    cli: ({ subject }) => ['audit', '--subject', subject!, '-n', '200'],
    api: ({ subject }) => ['GET', `/audit?subject=${subject!}&limit=200`],
  },
  verifyAudit: { cli: () => ['audit', 'verify'], api: () => ['GET', '/audit/check'] },
  previewReplay: {
    cli: ({ id }) => ['replay', id!, '--dry-run'],
    api: ({ id }) => ['POST', '/replays/preview', { documents: [id!] }],
  },
  startReplay: {
    cli: ({ id }) => ['replay', id!],
    api: ({ id }) => ['POST', '/replays', { documents: [id!] }],
  },
  workOff: { cli: INSIDE, api: INSIDE },
  run: { cli: ({ id }) => ['replay', '--resume', id!], api: ({ id }) => ['GET', `/runs/${id!}`] },
  runs: { cli: () => ['replay', '--list'], api: () => ['GET', '/runs'] },
  skip: onDocument('skip'),
  hold: onDocument('hold'),
  release: onDocument('release'),
  'mark-posted': {
    cli: ({ id, entry }) => ['mark-posted', id!, entry!],
    api: ({ id, entry }) => ['POST', `/documents/${id!}/mark-posted`, { entry }],
  },
  reverse: onDocument('reverse'),
  repost: onDocument('repost'),
  'move-to-new': onDocument('move-to-new'),
  approvals: { cli: () => ['approvals'], api: () => ['GET', '/approvals'] },
  agree: {
    cli: ({ id }) => ['approvals', 'agree', id!],
    api: ({ id }) => ['POST', `/approvals/${id!}/agree`, {}],
  },
  withdraw: {
    cli: ({ id }) => ['approvals', 'withdraw', id!],
    api: ({ id }) => ['POST', `/approvals/${id!}/withdraw`, {}],
  },
  plan: { cli: ({ tenant }) => ['plan', tenant!], api: ({ tenant }) => ['GET', `/tenants/${tenant!}/plan`] },
  confirmPlan: {
    cli: ({ tenant }) => ['plan', tenant!, '--confirm'],
    api: ({ tenant }) => ['POST', `/tenants/${tenant!}/plan/confirm`, {}],
  },
  pause: onTenant('pause'),
  resume: onTenant('resume'),
  sweep: {
    cli: ({ tenant }) => ['sweep', tenant!, '--full'],
    api: ({ tenant }) => ['POST', `/tenants/${tenant!}/sweep`, { full: true }],
  },
  cursors: {
    cli: ({ tenant }) => ['cursor', tenant!],
    api: ({ tenant }) => ['GET', `/tenants/${tenant!}/cursors`],
  },
  setCursor: {
    cli: ({ tenant, day }) => ['cursor', tenant!, 'cost', day!],
    api: ({ tenant, day }) => ['POST', `/tenants/${tenant!}/cursors`, { kind: 'cost', fromDate: day }],
  },
  reconcile: {
    cli: ({ tenant, from, to }) => ['reconcile', tenant!, '--from', from!, '--to', to!],
    api: ({ tenant, from, to }) => ['POST', `/tenants/${tenant!}/reconcile`, { from, to }],
  },
  export: {
    cli: ({ tenant, what, format }) => [
      'export',
      what!,
      tenant!,
      '--from',
      '2000-01-01',
      '--to',
      '2099-12-31',
      '-f',
      format!,
    ],
    api: ({ tenant, what, format }) => [
      'GET',
      `/tenants/${tenant!}/export?what=${what!}&format=${format!}&from=2000-01-01&to=2099-12-31`,
    ],
  },
  vatReport: {
    cli: ({ tenant, period }) => ['vat', tenant!, period!],
    api: ({ tenant, period }) => ['GET', `/tenants/${tenant!}/vat?period=${period!}`],
  },
  serviceReport: {
    cli: 'A line a row, without records; `export sales` is walked by invoicing/cli.test.ts.',
    api: ({ tenant, report }) => ['GET', `/tenants/${tenant!}/reports/${report!}`],
  },
  closePeriod: {
    cli: ({ tenant, period }) => ['close', tenant!, period!, '-r', REASON, '--by', PERSON],
    api: ({ tenant, period }) => ['POST', `/tenants/${tenant!}/close`, { period: period! }],
  },
  certificates: {
    cli: ({ tenant }) => ['certificates', tenant!],
    api: ({ tenant }) => ['GET', `/certificates?tenant=${tenant!}`],
  },
  certificate: {
    cli: '`verify` reads the file itself; closing/close.test.ts does.',
    api: ({ id }) => ['GET', `/certificates/${id!}`],
  },
  certificatePdf: {
    cli: 'The dashboard and the API print it; `verify` shows the same as text.',
    api: ({ id }) => ['GET', `/certificates/${id!}/pdf?lang=en`],
  },
  certificateFile: {
    cli: '`close` says where it is, and puts it elsewhere with --output.',
    api: 'The dashboard hands it over; closing-story.test.ts takes it.',
  },
  rehearse: {
    cli: ({ tenant }) => ['rehearse', tenant!],
    api: ({ tenant }) => ['POST', `/tenants/${tenant!}/rehearse`, {}],
  },
  outgoing: {
    cli: ({ tenant }) => ['outgoing', 'status', '-t', tenant!],
    api: ({ tenant }) => ['GET', `/outgoing?tenant=${tenant!}`],
  },
  submissions: {
    cli: ({ tenant }) => ['outgoing', 'list', '-t', tenant!],
    api: ({ tenant }) => ['GET', `/submissions?tenant=${tenant!}`],
  },
  submission: {
    cli: ({ id }) => ['outgoing', 'show', id!],
    api: ({ id }) => ['GET', `/submissions/${id!}`],
  },
  outgoingPlan: {
    cli: ({ tenant }) => ['outgoing', 'plan', tenant!],
    api: ({ tenant }) => ['GET', `/tenants/${tenant!}/outgoing/plan`],
  },
  outgoingProblems: {
    cli: ({ tenant }) => ['outgoing', 'problems', '-t', tenant!],
    api: ({ tenant }) => ['GET', `/outgoing/problems?tenant=${tenant!}`],
  },
  confirmOutgoing: onOutgoing('confirm'),
  pauseOutgoing: onOutgoing('pause'),
  resumeOutgoing: onOutgoing('resume'),
  replaySubmission: onSubmission('replay'),
  skipSubmission: onSubmission('skip'),
  withdrawSubmission: onSubmission('withdraw'),
  chooseCustomer: {
    cli: ({ id, guid }) => ['outgoing', 'use', id!, guid!, '-r', REASON, '--by', PERSON],
    api: ({ id, guid }) => ['POST', `/submissions/${id!}/use`, { guid: guid! }],
  },
  settleFields: {
    cli: ({ id }) => ['outgoing', 'settle', id!, '--take', 'origin', '-r', REASON, '--by', PERSON],
    api: ({ id, ...shown }) => [
      'POST',
      `/submissions/${id!}/settle`,
      { fields: [{ field: 'city', take: 'origin', origin: shown['origin']!, service: shown['service']! }] },
    ],
  },
  createToken: {
    cli: ({ name }) => ['token', 'create', name!, '--role', 'viewer'],
    api: ({ name }) => ['POST', '/tokens', { name, role: 'viewer' }],
  },
  tokens: { cli: () => ['token', 'list'], api: () => ['GET', '/tokens'] },
  revokeToken: {
    cli: ({ id }) => ['token', 'revoke', id!],
    api: ({ id }) => ['POST', `/tokens/${id!}/revoke`, {}],
  },
  recogniseToken: { cli: 'Commands need no token.', api: INSIDE },
  security: { cli: 'The audit has all of it.', api: 'The audit has all of it.' },
  readBy: { cli: 'Commands are whoever has the machine.', api: INSIDE },
  exports: { cli: 'export, archive and db backup use it.', api: INSIDE },
  refuseToken: { cli: 'Commands need no token.', api: INSIDE },
};

export const HANDS = ['cli', 'api'] as const;
export type Hand = (typeof HANDS)[number];

export interface Told {
  readonly ok: boolean;
  /** Of the problem, when it was refused. */
  readonly code: string | null;
  readonly body: unknown;
}

export const PERSON = 'Guðrún';
export const REASON = 'told in a story for the test';
const CHANGES_NOTHING = new Set([
  'approvals approvals',
  'replay --dry-run',
  'replay --list',
  'replay --resume',
]);
const COMMANDS_THAT_ACT = new Set(
  'replay skip hold release mark-posted reverse repost move-to-new pause resume sweep token plan cursor incidents approvals'.split(
    ' ',
  ),
);

export interface Place {
  readonly bed: Bed;
  readonly world: World;
  readonly token: string;
  readonly documented: Documented;
}

/** Does the operation with one hand, as a person with that hand would. */
export async function tell(
  { bed, world, token, documented }: Place,
  hand: Hand,
  operation: Walked,
  given: Given,
): Promise<Told> {
  const way = WAYS[operation][hand];
  if (typeof way === 'string') throw new Error(`${operation} has no way by ${hand}: ${way}`);
  return hand === 'cli'
    ? byCommand(world, (way as (given: Given) => string[])(given))
    : byRequest({ bed, token, documented }, (way as Exclude<Request, string>)(given));
}

async function byCommand(world: World, argv: readonly string[]): Promise<Told> {
  const acts = COMMANDS_THAT_ACT.has(argv[0]!) && !CHANGES_NOTHING.has(`${argv[0]!} ${argv.at(-1)!}`);
  const shown = argv[0] === 'export' ? [] : ['--json'];
  const listing = argv[0] === 'incidents' && argv[1] === '-t';
  const named = acts && !listing && argv[1] !== 'list' ? ['-r', REASON, '--by', PERSON, '--yes'] : [];
  const { code, out, err } = await run([...argv, ...shown, ...named], world);
  const problem = /^ {2}([A-Z_]+): /m.exec(err)?.[1] ?? null;
  if (code !== 0 && code !== 3 && problem === null && out === '')
    throw new Error(`${argv.join(' ')}: ${err}`);
  return {
    ok: problem === null,
    code: problem,
    body: argv[0] === 'export' || out === '' ? out : JSON.parse(out),
  };
}

async function byRequest(
  { bed, token, documented }: Omit<Place, 'world'>,
  [method, path, body]: readonly ['GET' | 'POST', string, object?],
): Promise<Told> {
  const reads = ['/preview', '/reconcile', '/rehearse'].some((end) => path.endsWith(end));
  const sent = body && (reads ? body : { ...body, reason: REASON, by: PERSON });
  for (let tries = 0; tries < 20; tries++) {
    const response = await fetch(`${bed.bridge.http!.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(sent ? { 'content-type': 'application/json' } : {}) },
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    });
    const text = await response.text();
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after'))));
      continue;
    }
    const type = response.headers.get('content-type') ?? '';
    const told: unknown = /^application\/(problem\+)?json/.test(type) ? JSON.parse(text) : text;
    const wrong = documented(routeOf(method, path)!, { status: response.status, type, body: told });
    if (wrong !== '') throw new Error(`${method} ${path} is not answered as documented: ${wrong}`);
    return { ok: response.ok, code: response.ok ? null : (told as { code: string }).code, body: told };
  }
  throw new CodedError('API_RATE_LIMITED', `${path} was never answered.`);
}
