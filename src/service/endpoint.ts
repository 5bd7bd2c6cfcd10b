// One row of an endpoint table: enough to call it, to check a call before it leaves, to read its answer, and to list it
// for a person. The tables are the API documents in code.
import * as z from 'zod';
import type { IsoDate } from '../domain/source-document.js';
import type { AnswerReader } from './answers.js';
import type { AgentScope, Surface } from './source-settings.js';
import type { Breach } from './write-rules.js';
import { ACCOUNTING_STATUSES } from '../domain/posting.js';
import { bitAsNumber, filePart, isoDate, money, whole } from './wire-types.js';
import { TASK_LISTS } from './wire-values.js';
import { costCode, guid, kennitala } from './write-bodies.js';

export type ParamsSchema = z.ZodObject;

export interface Endpoint<Params extends ParamsSchema = ParamsSchema, Result = unknown> {
  readonly name: string;
  readonly surface: Surface;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL; `{guid}` is filled from the parameter of that name. */
  readonly path: string;
  readonly params: Params;
  /** Where the parameters go that are not in the path. `data` is always a JSON-encoded string (write rule 1). */
  readonly sends: 'query' | 'form' | 'json' | 'multipart';
  readonly answer: AnswerReader<Result>;
  /** A `write` that is not clearly answered has an unknown effect. Several questions are asked with POST. */
  readonly effect: 'read' | 'write';
  readonly scope?: AgentScope;
  /** `query`: upload-file, the one documented exception. `body`: registration and tokens carry their own. */
  readonly credentials: 'header' | 'basic' | 'query' | 'body';
  readonly bodyBytesMax?: number;
  readonly rules?: (params: z.output<Params>, today: IsoDate) => readonly Breach[];
}

export type CallParams<E> = E extends Endpoint<infer P> ? z.input<P> : never;
export type CallResult<E> = E extends Endpoint<ParamsSchema, infer R> ? R : never;

/** Any row of a table, whatever its parameters: `rules` is contravariant, hence the loosened signature. */
export type AnyEndpoint = Omit<Endpoint, 'rules'> & {
  readonly rules?: (params: never, today: IsoDate) => readonly Breach[];
};

export interface EndpointOptions<Params extends ParamsSchema> {
  readonly effect?: 'read' | 'write';
  readonly sends?: Endpoint['sends'];
  readonly scope?: AgentScope;
  readonly credentials?: Endpoint['credentials'];
  readonly bodyBytesMax?: number;
  readonly rules?: (params: z.output<Params>, today: IsoDate) => readonly Breach[];
}

/** A row of a surface: the fields left out follow from the method, as the documents state them for the whole surface. */
export function endpoint<S extends z.ZodRawShape, Result>(
  surface: Surface,
  method: Endpoint['method'],
  path: string,
  params: S,
  answer: AnswerReader<Result>,
  options: EndpointOptions<z.ZodObject<S>> = {},
): Endpoint<z.ZodObject<S>, Result> {
  const bodied = surface === 'credential' ? 'form' : 'json';
  return {
    name: '',
    surface,
    method,
    path,
    params: z.strictObject(params),
    sends: method === 'GET' || method === 'DELETE' ? 'query' : bodied,
    answer,
    effect: method === 'GET' ? 'read' : 'write',
    credentials: 'header',
    ...options,
  };
}

type Named<T> = { readonly [Name in keyof T]: T[Name] };

/** Gives every row the name it has in the table. */
export function table<T extends Record<string, AnyEndpoint>>(rows: T): Named<T> {
  const named: Record<string, AnyEndpoint> = {};
  for (const [name, row] of Object.entries(rows)) named[name] = { ...row, name };
  return named as T;
}

// Parameters that several endpoints share, on both surfaces.

export const text = z.string();
export const paging = { limit: whole.optional(), page: whole.optional() };
export const byGuid = { guid };
export const byId = { id: guid };

/** Comma-separated for several. */
function someOf(known: readonly string[]) {
  return z.string().refine((written) => written.split(',').every((one) => known.includes(one)), {
    message: `must be one or several of ${known.join(', ')}, separated by commas`,
  });
}

const costStatuses = someOf(ACCOUNTING_STATUSES);
/** An invoice is never New, and the service answers the question with a 400. */
export const invoiceStatuses = someOf(ACCOUNTING_STATUSES.filter((status) => status !== 'New'));

export const period = { from_date: isoDate.optional(), to_date: isoDate.optional() };

/** Both surfaces filter costs by these; the credential surface and the agent list also know date_filter. */
export const costFilter = {
  accounting_status: costStatuses.optional(),
  type: costCode.optional(),
  supplier_id: text.optional(),
  ...period,
};

export const costDateFilter = z.enum(['date', 'created_date']);

export const summaryPeriod = {
  year: whole.optional(),
  month: whole.optional(),
  from_month: whole.optional(),
  to_month: whole.optional(),
  ...period,
};

export const taskList = { type: z.enum(TASK_LISTS).optional() };

export const advancedCost = {
  date: isoDate,
  amount: money,
  how_paid: whole.refine((way) => way >= 1 && way <= 4, 'must be 1 to 4'),
  supplier_name: text.min(1),
  supplier_id: kennitala,
  type: costCode,
  description: text.optional(),
  vat_11: money.optional(),
  vat_24: money.optional(),
  credit_note: bitAsNumber.optional(),
  file: filePart.optional(),
};
