// The conditions in English.
import type { ConnectionParams, Side, Condition } from '../../domain/condition.js';
import { momentInWords } from '../../domain/local-time.js';
import { keptText, cureText, say, type Language } from '../say.js';
import type { ConditionTexts, ConditionText } from './table.js';
import { CONDITIONS_IN_ICELANDIC } from './icelandic.js';

const SIDES: Readonly<Record<Side, string>> = { source: 'invoicing service', erp: 'ERP' };
const KINDS = { invoice: 'invoices', cost: 'costs' } as const;

const documents = (count: number) => (count === 1 ? '1 document' : `${count} documents`);
const records = (count: number) => (count === 1 ? '1 record' : `${count} records`);
const wait = (count: number) => (count === 1 ? 'waits' : 'wait');
const said = (reason: string) =>
  reason === '' ? 'Nothing was answered.' : `The last answer: ${keptText('en', reason)}`;
const meanwhile = ({ count }: ConnectionParams) => `${documents(count)} ${wait(count)} meanwhile.`;

export const CONDITIONS_IN_ENGLISH: ConditionTexts = {
  BRIDGE_NOT_RUNNING: () => ({
    title: 'No bridge is running on these records',
    details: 'Nothing is found, posted or told while nobody works.',
    nextStep: 'Start one: ledgerbridge serve',
  }),
  PLAN_UNCONFIRMED: ({ count }, { name, command }) => ({
    title: `The plan of ${name} is not confirmed: ${documents(count)} ${wait(count)}`,
    details: 'Nothing is posted before a person has looked at the plan.',
    nextStep: `Look at it, then confirm it: ledgerbridge plan ${command} --confirm`,
  }),
  TENANT_FILE_GONE: ({ count }, { name }) => ({
    title: `There is no valid tenant file for ${name} any more`,
    details: `It is neither swept nor posted. ${documents(count)} ${wait(count)}.`,
    nextStep: 'Mend or restore its file: ledgerbridge tenant validate',
  }),
  TENANT_FILE_BROKEN: ({ place, path, what, remedy, more, version }, { name }) => ({
    title: `The file of ${name} is broken at ${place}; the bridge runs on the version of ${momentInWords(version)}`,
    details: `${path === '' ? '' : `${path}: `}${say('en', what)}${more === 0 ? '' : more === 1 ? ' One more problem.' : ` ${more} more problems.`} Nothing that was changed in the file counts, and a bridge that starts now leaves ${name} out.`,
    nextStep: `${say('en', remedy)} All problems: ledgerbridge tenant validate. The mended file is taken up by itself.`,
  }),
  TENANT_PAUSED: ({ by, reason, needsYou, waiting }, { name, command }) => ({
    title: `${name} is paused by ${by}`,
    details: `${reason} ${documents(waiting)} ${wait(waiting)}, ${needsYou} need a person.`.trim(),
    nextStep: `Let it go on when it may: ledgerbridge resume ${command}`,
  }),
  CONNECTION_DOWN: (params, { name, command }) => ({
    title: `The ${SIDES[params.side]} of ${name} does not answer since ${momentInWords(params.since)}`,
    details: `${meanwhile(params)} ${said(params.reason)}`,
    nextStep: `They go on by themselves when it answers; look with: ledgerbridge tenant check ${command}`,
  }),
  CONNECTION_REFUSED: (params, { name, command }) => ({
    title: `The ${SIDES[params.side]} refuses the credentials of ${name}`,
    details: `${meanwhile(params)} ${said(params.reason)}`,
    nextStep: `Check the credentials: ledgerbridge tenant check ${command}. Nothing is marked meanwhile.`,
  }),
  DOCUMENTS_REST: ({ count, reason, needsPerson, cause }, { name, command }) => ({
    title: needsPerson
      ? `${documents(count)} of ${name} ${count === 1 ? 'needs' : 'need'} a person: ${say('en', reason)}`
      : `${documents(count)} of ${name} ${wait(count)}: ${say('en', reason)}`,
    details: needsPerson ? `Cause: ${cause}.` : `Cause: ${cause}. It is tried again by itself.`,
    nextStep: `${cureText('en', reason.code)} All causes: ledgerbridge problems --tenant ${command}`,
  }),
  DOCUMENTS_STUCK: ({ count, since }, { name, command }) => ({
    title: `${documents(count)} of ${name} ${count === 1 ? 'is' : 'are'} on the way, the oldest since ${momentInWords(since)}`,
    details: 'Nothing is known to be down, and yet it does not arrive.',
    nextStep: `Look at the oldest: ledgerbridge documents --tenant ${command} --state posting,mapped,discovered`,
  }),
  SWEEP_FAILING: ({ kind, since, reason }, { name, command }) => ({
    title: `The ${KINDS[kind]} of ${name} could not be read since ${since === null ? 'it was connected' : momentInWords(since)}`,
    details: `Documents may be waiting at the source that the bridge has not seen. ${said(reason)}`,
    nextStep: `Look at its connection: ledgerbridge tenant check ${command}`,
  }),
  SWEEP_OVERDUE: ({ since }, { name, command }) => ({
    title: `${name} was not swept completely since ${since === null ? 'it was connected' : momentInWords(since)}`,
    details: 'Documents may be waiting at the source that the bridge has not seen.',
    nextStep: `Look at its connection: ledgerbridge tenant check ${command}; then: ledgerbridge sweep ${command}`,
  }),
  TENANT_SILENT: ({ since, days }, { name, command }) => ({
    title: `${name} always has documents, and has had none since ${since}`,
    details: `New documents came on ${days} of the days before.`,
    nextStep: `Look whether the company is closed or the account was changed: ledgerbridge tenant check ${command}`,
  }),
  REVERSAL_UNFINISHED: ({ kind, number, posting, key, since, isHalf }, { name }) => ({
    title: `The reversal of ${kind} ${number} of ${name} was begun and nobody finished it`,
    details: isHalf
      ? `One of its two entries was undone at ${momentInWords(since)}, under the key ${key}; the other still stands in the books.`
      : `It was on its way at ${momentInWords(since)}, under the key ${key}; whether the ERP booked it is not known.`,
    nextStep: isHalf
      ? `Reverse it again: ledgerbridge reverse ${posting}. What is undone is not undone twice.`
      : `Fifteen minutes after it was begun, reverse it again: ledgerbridge reverse ${posting}. The bridge looks for the first one before it sends another; where the ERP cannot be searched, look yourself, and add --surely-absent if it is not there.`,
  }),
  QUEUES_AWAY: ({ since, reason }) => ({
    title: `Redis cannot be reached since ${momentInWords(since)}: nothing is handed out`,
    details: `The queues live in it, so documents wait. ${said(reason)}`,
    nextStep:
      'Start Redis, or correct REDIS_URL: ledgerbridge doctor. Nothing is lost; it goes on by itself.',
  }),
  TOKEN_ENDING: ({ id, name, endsAt }) => ({
    title: `The API token “${name}” ends on ${momentInWords(endsAt)}`,
    details: 'Calls with it are refused from then on.',
    nextStep: `Make a new one (ledgerbridge token create), let the caller use it, then: ledgerbridge token revoke ${id}`,
  }),
  ORIGINALS_STORE_AWAY: ({ count, reason }) => ({
    title: 'The store of originals cannot be written or read',
    details: `${count === 1 ? '1 original waits' : `${count} originals wait`} meanwhile; postings do not. ${said(reason)}`,
    nextStep: 'Look at the disk or the bucket: ledgerbridge doctor. They go on by themselves when it works.',
  }),
  OUTGOING_UNCONFIRMED: ({ count }, { name, command }) => ({
    title: `What ${name} sends into the service is not confirmed: ${records(count)} ${wait(count)}`,
    details: 'No customer, invoice or other record is sent before a person has looked at the plan.',
    nextStep: `Look at it: ledgerbridge outgoing plan ${command}; then: ledgerbridge outgoing confirm ${command}`,
  }),
  // The title is short: it stands in a banner. What the service or a rule said may be long.
  SUBMISSIONS_NEED_A_PERSON: ({ state, count, reason }, { name, command }) => ({
    title: `${records(count)} that ${name} sends into the service ${count === 1 ? 'needs' : 'need'} a person`,
    details: `${count === 1 ? '' : 'The latest: '}${say('en', reason)} ${cureText('en', reason.code)}`,
    nextStep: `Look at ${count === 1 ? 'it' : 'them'}: ledgerbridge outgoing list --tenant ${command} --state ${state}`,
  }),
  INCIDENT_OPEN: ({ id, count, title, details, nextStep }) => ({
    title: count === 1 ? title : `${title} (and ${count - 1} more like it)`,
    details,
    nextStep: `${nextStep} When that is settled: ${count === 1 ? `ledgerbridge incidents resolve ${id}` : 'resolve each, ledgerbridge incidents lists them'}.`,
  }),
  NOTIFICATION_UNDELIVERED: ({ channel, count, reason }) => ({
    title: `${count === 1 ? '1 message' : `${count} messages`} could not be delivered to ${channel}`,
    details: `Whoever reads there was not told. ${said(reason)}`,
    nextStep: 'Mend the address or the server, then try it: ledgerbridge notify test',
  }),
  AUDIT_NOT_ANCHORED: ({ path, reason, since }) => ({
    title: `The heads of the audit could not be written to ${path}`,
    details: `${since === null ? 'They never were.' : `They last were at ${momentInWords(since)}.`} ${said(reason)}`,
    nextStep:
      'Make room, mount the disk, or put the file back from its copy; it is tried again by itself. A file that is lost for good is begun anew with: touch',
  }),
};

// The tables of conditions, and what of them was kept as an incident.

const TEXTS: Readonly<Record<Language, ConditionTexts>> = {
  en: CONDITIONS_IN_ENGLISH,
  is: CONDITIONS_IN_ICELANDIC,
};

export type SayableCondition = Pick<Condition, 'code' | 'tenant' | 'params'>;

export function textInTable(
  language: Language,
  { code, tenant, params }: SayableCondition,
  name = tenant ?? '',
): ConditionText {
  // The compiler has checked each code against its own params where the condition was made.
  const text = TEXTS[language][code] as (params: unknown, who: object) => ConditionText;
  return text(params, { name, command: tenant ?? '' });
}

/** A condition that was kept, if it is one that this version knows. */
export function keptCondition(
  code: string,
  tenant: string | null,
  params: Readonly<Record<string, unknown>> | null,
): SayableCondition | null {
  return params !== null && Object.hasOwn(CONDITIONS_IN_ENGLISH, code)
    ? ({ code, tenant, params } as unknown as SayableCondition)
    : null;
}
