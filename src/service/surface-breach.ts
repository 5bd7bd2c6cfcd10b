// Which endpoint of a surface makes which kind, and what keeps a request from being sent there, by the API documents alone.
import { Decimal } from '../domain/money.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { type Told, wordsOf } from '../domain/message.js';
import type { IsoDate } from '../domain/source-document.js';
import type { SubmissionKind } from '../domain/submission.js';
import { told } from '../language/messages.js';
import { checkCall } from './check-call.js';
import { CREATE_WHOLE_COST, PAY_INVOICE, WRITES } from './operations.js';
import type { AnyEndpoint, Endpoint } from './endpoint.js';
import type { TargetFile, TargetRequest } from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { breachSaid, attachmentRules, fileLike } from './write-rules.js';

export function endpointOf(surface: Surface, { act, kind, body }: TargetRequest): AnyEndpoint | undefined {
  if (act === 'pay') return kind === 'invoice' ? PAY_INVOICE[surface] : undefined;
  if (act === 'create' && isAdvancedCost(kind, body)) return CREATE_WHOLE_COST[surface];
  return WRITES[kind][act]?.[surface];
}

const RECEIPT_FIELDS: ReadonlySet<string> = new Set(['date', 'description', 'file', 'sha256', 'bytes']);

function isAdvancedCost(kind: SubmissionKind, body: TargetRequest['body']): boolean {
  return kind === 'cost' && Object.keys(body).some((field) => !RECEIPT_FIELDS.has(field));
}

/** Document 2 calls the number of a customer `kennitala` and wants more of it than Document 1; costs have no `data`. */
export function paramsOf(
  surface: Surface,
  { act, kind, guid, body }: TargetRequest,
  file?: TargetFile,
): Readonly<Record<string, unknown>> {
  if (act === 'delete') return surface === 'agent' ? { id: guid } : { guid };
  if (act === 'pay') return { guid };
  if (kind === 'cost') return costParams(body, file);
  if (kind === 'hours') return { guid, ...(surface === 'agent' && act === 'create' ? asEntry(body) : body) };
  // Document 2 names an item by `id`.
  if (kind === 'item' && surface === 'agent' && guid !== undefined) return { id: guid, data: body };
  const data = kind === 'customer' && surface === 'agent' ? agentCustomer(act, body) : body;
  return guid === undefined ? { data } : { guid, data };
}

/** A dated entry: how many hours in place of from when to when (Document 2, `POST /tasks/{guid}/end`, `adv`). */
function asEntry({ h, p, ...body }: TargetRequest['body']): Record<string, unknown> {
  const hours = new Decimal(minutesOf(p) - minutesOf(h)).div(60).toDecimalPlaces(2);
  return { ...body, adv: true, h: hours.toFixed() };
}

function minutesOf(time: unknown): number {
  const [hours = '0', minutes = '0'] = typeof time === 'string' ? time.split(':') : [];
  return Number(hours) * 60 + Number(minutes);
}

/** The request on record names the file and its hash; the bytes come from the origin. */
function costParams(body: TargetRequest['body'], file: TargetFile | undefined): Record<string, unknown> {
  const { file: name, sha256: _hash, bytes: _bytes, ...fields } = body;
  return name === undefined ? fields : { ...fields, file };
}

const AGENT_DEFAULTS = { output_select: '3', lang: 'is', currency: 'ISK' } as const;

function agentCustomer(
  act: TargetRequest['act'],
  body: TargetRequest['body'],
): Readonly<Record<string, unknown>> {
  const { registration_no: kennitala, ...rest } = body;
  const named = kennitala === undefined ? rest : { kennitala, ...rest };
  return act === 'create' ? { ...AGENT_DEFAULTS, ...named } : named;
}

/** null: nothing. */
export function surfaceBreach(
  surface: Surface,
  request: TargetRequest,
  today: IsoDate,
  file: TargetFile | undefined = standIn(request),
): Told | null {
  const endpoint = endpointOf(surface, request);
  if (endpoint === undefined) return told('NO_WAY_TO', { act: request.act, kind: request.kind });
  try {
    checkCall(endpoint as Endpoint, paramsOf(surface, request, file), () => today);
    return filesBreach(surface, request);
  } catch (error) {
    if (error instanceof CodedError) return wordsOf(error);
    throw error;
  }
}

/** Not stated anywhere. */
const FILES_MAX = 10;

/**
 * Only create-invoice names uploaded files, and only the credential surface uploads any. The limits of files are stated for costs alone
 * (Document 1, "Limits"); what holds there is taken to hold for these.
 */
function filesBreach(surface: Surface, { kind, files = [] }: TargetRequest): Told | null {
  if (files.length === 0) return null;
  if (kind !== 'invoice') return told('FILES_NOT_WITH', { kind });
  if (surface === 'agent') return told('FILES_NOT_BY_AGENT');
  if (files.length > FILES_MAX) return told('FILES_TOO_MANY', { count: files.length, most: FILES_MAX });
  for (const { name, bytes } of files) {
    const [breach] = attachmentRules(fileLike(name, Number(bytes)));
    if (breach !== undefined) return told('FILE_BREACH', { file: name, what: breachSaid(breach) });
  }
  return null;
}

/** Where the bytes are not at hand: a file of that name and size. */
function standIn({ body }: TargetRequest): TargetFile | undefined {
  const { file: name, bytes } = body;
  return typeof name === 'string' ? fileLike(name, Number(bytes)) : undefined;
}
