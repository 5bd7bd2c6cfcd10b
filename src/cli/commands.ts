// The only list of commands, in the order in which help shows them: their names, what they are for in a few words, and the file that
// knows the rest. A run loads the file of the command that was asked for and no other, so that a question is answered at once.
// It is the only place of the product that names the laboratory (lab/).
import type { RegisterCommand } from './command.js';

export interface ListedCommand {
  readonly name: string;
  readonly about: string;
  /** Several commands may share a file. */
  readonly load: () => Promise<RegisterCommand>;
}

type Row = readonly [name: string, about: string, load: ListedCommand['load']];

const acts = async () => (await import('./acts.js')).registerActs;
const close = async () => (await import('./close.js')).registerClose;
const problems = async () => (await import('./problems.js')).registerProblems;
const status = async () => (await import('./status.js')).registerStatus;
const steer = async () => (await import('./steer.js')).registerSteer;

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Begin:': [
    [
      'demo',
      'show the whole bridge at work, on embedded defaults',
      async () => (await import('../../lab/sandbox/demo/command.js')).registerDemo,
    ],
    [
      'tenant',
      'tenant files: write, check and show them',
      async () => (await import('./tenant.js')).registerTenant,
    ],
    [
      'doctor',
      'what is missing in this installation, and how to mend it',
      async () => (await import('./doctor.js')).registerDoctor,
    ],
    [
      'plan',
      'show the journals that would be posted now, and confirm them',
      async () => (await import('./plan.js')).registerPlan,
    ],
    ['serve', 'run the bridge', async () => (await import('./serve.js')).registerServe],
  ],
  'Look:': [
    ['status', 'show how every tenant is', status],
    ['problems', 'show why documents do not move, one row a cause', problems],
    ['inbox', 'show what the tenant files or the ERP lack, with the lines to write', problems],
    ['documents', 'search documents', async () => (await import('./documents.js')).registerDocuments],
    [
      'explain',
      'tell the whole story of one document',
      async () => (await import('./explain.js')).registerExplain,
    ],
    [
      'logs',
      'show everything on record about one document, in its order',
      async () => (await import('./logs.js')).registerLogs,
    ],
    [
      'open',
      'open the page of a document in the dashboard',
      async () => (await import('./open.js')).registerOpen,
    ],
    ['schedules', 'show when each tenant is swept', status],
    [
      'incidents',
      'what a person should know, until somebody says that it is settled',
      async () => (await import('./records.js')).registerIncidents,
    ],
    [
      'audit',
      'who did what, and why; newest first',
      async () => (await import('./records.js')).registerAudit,
    ],
  ],
  'Decide about documents:': [
    [
      'replay',
      'try documents again, under the same key',
      async () => (await import('./replay.js')).registerReplay,
    ],
    ['skip', 'decide that documents are not booked', acts],
    ['hold', 'keep documents from being posted', acts],
    ['release', 'let held documents go on', acts],
    ['move-to-new', 'move costs back to New at the source, to be approved again', acts],
    ['mark-posted', 'say which entry of the ERP a document is', acts],
    ['reverse', 'undo the entry of a document by another one', acts],
    ['repost', 'post a document again whose entry was reversed', acts],
    [
      'approvals',
      'what waits for a second person, where a tenant asks for four eyes',
      async () => (await import('./approvals.js')).registerApprovals,
    ],
  ],
  'Steer a tenant:': [
    ['sweep', 'look for documents now instead of at the next run', steer],
    ['pause', 'stop posting for a tenant', steer],
    ['resume', 'let a paused tenant go on', steer],
    ['cursor', 'show or set from which day the fast path looks', steer],
    ['reconcile', 'compare the source, the records and the ERP for a period; only reads', steer],
  ],
  'Periods and books:': [
    [
      'vat',
      'the VAT return of a period as the books have it',
      async () => (await import('./vat.js')).registerVat,
    ],
    ['close', 'compare both sides over a period and write a signed certificate', close],
    ['certificates', 'the certificates of closed periods, and which are out of date', close],
    ['verify', 'check a certificate offline', close],
    [
      'archive',
      'one zip for an auditor: certificate, documents, journals, originals',
      async () => (await import('./archive.js')).registerArchive,
    ],
    [
      'export',
      'write what was posted to standard output',
      async () => (await import('./records.js')).registerExport,
    ],
    [
      'originals',
      'PDFs, receipts and e-invoices: where they are, and whether they are whole',
      async () => (await import('./originals.js')).registerOriginals,
    ],
    [
      'check-outside',
      'check the books against the invoicing service, without our records',
      async () => (await import('./check-outside.js')).registerCheckOutside,
    ],
  ],
  'Rules and connections:': [
    [
      'map',
      'show the journal that a document would become, offline',
      async () => (await import('./map.js')).registerMap,
    ],
    [
      'rehearse',
      'show which journals would change under other rules',
      async () => (await import('./rehearse.js')).registerRehearse,
    ],
    [
      'describe',
      'describe how documents become entries in this company now',
      async () => (await import('./describe.js')).registerDescribe,
    ],
    [
      'adapter',
      'ERP adapters: list them, test one, try one, begin one',
      async () => (await import('../../lab/kit/command.js')).registerAdapterWithKit,
    ],
    [
      'auth',
      'OAuth at the invoicing service: register, sign in, status, revoke',
      async () => (await import('./auth.js')).registerAuth,
    ],
    [
      'api',
      'call any endpoint of the invoicing service for a tenant',
      async () => (await import('./api.js')).registerApi,
    ],
    [
      'outgoing',
      'outbound records: customers and invoices into the invoicing service',
      async () => (await import('./outgoing.js')).registerOutgoing,
    ],
  ],
  'Keep the installation:': [
    ['user', 'people who may sign in to the dashboard', async () => (await import('./user.js')).registerUser],
    ['token', 'bearer tokens of the operator API', async () => (await import('./token.js')).registerToken],
    [
      'privacy',
      'what is kept about people, and its removal',
      async () => (await import('./privacy.js')).registerPrivacy,
    ],
    [
      'notify',
      'who is told, and whether a message reaches them',
      async () => (await import('./notify.js')).registerNotify,
    ],
    [
      'db',
      'the records: state of the database, its schema and its audit',
      async () => (await import('./db.js')).registerDb,
    ],
    [
      'completion',
      'print a completion script for your shell',
      async () => (await import('./completion.js')).registerCompletion,
    ],
  ],
  'Try it:': [
    [
      'sandbox',
      'run the invoicing service itself on this machine, simulated',
      async () => (await import('../../lab/sandbox/command.js')).registerSandbox,
    ],
    [
      'simulate',
      'try to break the promises, in virtual time',
      async () => (await import('../../lab/proof/command.js')).registerSimulate,
    ],
    [
      'bench',
      'measure the bridge on this machine',
      async () => (await import('../../lab/bench/command.js')).registerBench,
    ],
  ],
};

export const COMMAND_GROUPS: readonly {
  readonly heading: string;
  readonly commands: readonly ListedCommand[];
}[] = Object.entries(GROUPS).map(([heading, rows]) => ({
  heading,
  commands: rows.map(([name, about, load]) => ({ name, about, load })),
}));
