// One route of the API as data: the handler, the checks and the OpenAPI file are all made from it.
import * as z from 'zod';
import type { Exported } from '../operations/exports.js';
import type { Operations } from '../operations/operations.js';
import type { Act } from '../operations/act.js';
import type { OperatorRole } from '../operations/token-records.js';

export interface Call<Params, Query, Body> {
  readonly operations: Operations;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The token's name, and the person it speaks for when the body says so. */
  readonly act: (body: { readonly reason: string; readonly by?: string | undefined }) => Act;
}

export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  /** Below /api/v1, with `{name}` for parameters. */
  readonly path: string;
  readonly role: OperatorRole;
  /** Concerns all companies at once: no token that is bound to some may come. */
  readonly everywhere: boolean;
  readonly summary: string;
  readonly tag: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly response: z.ZodType;
  /** Content types of an answer that is text and not JSON; the handler gives a TextAnswer of one of them. */
  readonly textTypes: readonly string[];
  readonly status: number;
  /** Hands out documents, or what is known of people, in bulk: the audit tells who took it. */
  readonly exports: Exported | null;
  /** What is kept of an answer under an Idempotency-Key. Secrets must not be: only hashes of them are ever at rest. */
  readonly remembered: (answer: unknown) => unknown;
  readonly handle: (call: Call<never, never, never>) => Promise<unknown>;
}

/** Lines, or the bytes of a file, that are sent as they come, so that the size of a period does not matter. */
export interface TextAnswer {
  readonly type: string;
  readonly fileName: string;
  readonly lines: AsyncIterator<string | Uint8Array>;
}

interface RouteShape<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends z.ZodType,
> {
  readonly role?: OperatorRole;
  readonly everywhere?: boolean;
  readonly summary: string;
  readonly tag: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R;
  readonly status?: number;
  readonly exports?: Exported;
  readonly remembered?: (answer: z.output<R>) => z.input<R>;
  readonly handle: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Promise<z.input<R>>;
}

/** Nothing is taken there. */
type Empty = z.ZodObject<Record<string, never>>;

/** Typed where it is written, plain where it is kept. */
export function route<
  R extends z.ZodType,
  P extends z.ZodObject = Empty,
  Q extends z.ZodObject = Empty,
  B extends z.ZodObject = Empty,
>(method: Route['method'], path: string, shape: RouteShape<P, Q, B, R>): Route {
  const { handle, role, everywhere, status, exports, remembered, ...rest } = shape;
  return {
    method,
    path,
    role: role ?? (method === 'get' ? 'viewer' : 'operator'),
    everywhere: everywhere ?? false,
    status: status ?? 200,
    exports: exports ?? null,
    textTypes: [],
    remembered: (answer) => (remembered ? remembered(answer as z.output<R>) : answer),
    ...rest,
    handle: (call) => handle(call),
  };
}

type TextShape<P extends z.ZodObject, Q extends z.ZodObject> = Pick<
  Route,
  'summary' | 'tag' | 'textTypes'
> & {
  readonly exports: Exported;
  readonly params: P;
  readonly query: Q;
  readonly handle: (call: Call<z.output<P>, z.output<Q>, unknown>) => TextAnswer;
};

/** Reads, and answers with a file. */
export function textRoute<P extends z.ZodObject, Q extends z.ZodObject>(
  path: string,
  { handle, ...shape }: TextShape<P, Q>,
): Route {
  return {
    method: 'get',
    path,
    role: 'viewer',
    everywhere: false,
    status: 200,
    response: z.string(),
    remembered: (answer) => answer,
    ...shape,
    handle: (call) => Promise.resolve(handle(call)),
  };
}
