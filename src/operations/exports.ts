// What leaves in bulk, or as a file: who took it, by which filter, how many rows. Routes and commands say what they hand out; the
// rest is done here, so that no export can forget it.
import type { Clock } from '../domain/runtime.js';
import { networkOf } from '../http/allowed-addresses.js';

export const EXPORTS = [
  'documents',
  'journals',
  'vat',
  'report',
  'certificate',
  'original',
  'submissions',
  'audit',
] as const;
export type Exported = (typeof EXPORTS)[number];

export interface Export {
  readonly what: string;
  readonly actor: string;
  /** `dashboard`, `api` or `command line`, and what else tells who it was. */
  readonly by: Readonly<Record<string, unknown>>;
  /** null: of all that the person sees. */
  readonly tenant: string | null;
  /** The thing itself, where it is one; otherwise the company. */
  readonly subject: string | null;
  readonly filter: Readonly<Record<string, unknown>>;
}

export interface Exports {
  /** Before it is handed out: what cannot be put on record does not leave. */
  whole(given: Export, rows: number | undefined): Promise<void>;
  /** The same line by line, counted when it ends or is broken off. */
  lines<Chunk extends string | Uint8Array>(
    given: Export,
    type: string,
    lines: AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk>;
}

/** Where a page begins and how long it is says nothing about what was asked for. */
const PAGING = ['after', 'limit', 'lang', 'tenant'];
const VALUE_CHARACTERS_MAX = 120;

export function createExports(tally: ActTally, clock: Clock): Exports {
  return {
    whole: (given, rows) => tally.count(asAct(given, clock.now()), rows),
    lines: (given, type, lines) => countedLines(tally, asAct(given, clock.now()), type, lines),
  };
}

function asAct({ what, actor, by, tenant, subject, filter }: Export, at: Date): TalliedAct {
  return {
    ...(tenant === null ? {} : { tenantName: tenant }),
    ...{ actor, action: `${what}.exported`, subject: subject ?? tenant ?? '(all)', details: by, at },
    varying: shortened(filter),
  };
}

function shortened(filter: Export['filter']): Record<string, unknown> {
  const said = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && value !== '' && !PAGING.includes(name),
  );
  return Object.fromEntries(
    said.map(([name, value]) => [name, String(value).slice(0, VALUE_CHARACTERS_MAX)]),
  );
}

async function* countedLines<Chunk extends string | Uint8Array>(
  tally: ActTally,
  act: TalliedAct,
  type: string,
  lines: AsyncIterable<Chunk>,
): AsyncGenerator<Chunk> {
  const counter = rowCounter(type);
  await tally.begin(act);
  try {
    for await (const chunk of lines) {
      counter.add(chunk);
      yield chunk;
    }
  } finally {
    await tally.count(act, counter.rows());
  }
}

/** Of an answer that is JSON: a list, or a page of one. */
export function rowsOfJson(body: unknown): number | undefined {
  if (Array.isArray(body)) return body.length;
  if (typeof body !== 'object' || body === null) return undefined;
  const list = ['items', 'rows'].map((name) => (body as Record<string, unknown>)[name]).find(Array.isArray);
  return list?.length;
}

const NEWLINE = 10;
const QUOTE = 34;

export interface RowCounter {
  add(chunk: string | Uint8Array): void;
  /** undefined: it has no rows, as a picture. */
  rows(): number | undefined;
}

/** Rows of CSV without its head, lines of JSON, entries of a journal. */
export function rowCounter(type: string): RowCounter {
  const kind = ['text/csv', 'application/x-ndjson', 'text/plain'].find((one) => type.startsWith(one));
  let found = kind === 'text/csv' ? -1 : 0;
  let quoted = false;
  let before = 0;
  return {
    add: (chunk) => {
      if (kind === undefined) return;
      for (let at = 0; at < chunk.length; at += 1) {
        const sign = typeof chunk === 'string' ? chunk.charCodeAt(at) : (chunk[at] ?? 0);
        if (sign === QUOTE && kind === 'text/csv') quoted = !quoted;
        if (sign === NEWLINE && !quoted && (kind !== 'text/plain' || before === NEWLINE)) found += 1;
        before = sign;
      }
    },
    rows: () => (kind === undefined ? undefined : Math.max(0, found)),
  };
}

// What may happen many times in an hour: failed sign-ins, exports, reads. The first is in the audit at once; how many there were
// follows when the hour is over. So a flood of them is a few entries, and only the first waits for its chain.

export interface TalliedAct {
  /** Without one it belongs to the bridge as a whole. */
  readonly tenantName?: string | undefined;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  /** Facts, JSON; never secrets, never whole documents. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Facts that somebody may make up anew with every try. Of one actor so many different ones are told in an hour; the rest is counted together. */
  readonly varying?: Readonly<Record<string, unknown>> | undefined;
  readonly at: Date;
}

export interface ActTally {
  /** Before the first byte of something long. If it never ends, the audit tells that it was begun. */
  begin(act: TalliedAct): Promise<void>;
  /** Told once in an hour, and never how often. */
  once(act: TalliedAct): Promise<void>;
  /** One more of it, with so many rows. */
  count(act: TalliedAct, rows?: number): Promise<void>;
}

type WayIn = 'password' | 'code' | 'openid' | 'token';

export interface FailedSignIn {
  readonly how: WayIn;
  /** null: nobody has the name that was given. It is told to nobody: people type passwords there. */
  readonly login: string | null;
  /** null: not known. */
  readonly address: string | null;
  readonly at: Date;
}

const NOBODY = '(unknown)';

export function failedSignIn({ how, login, address, at }: FailedSignIn): TalliedAct {
  const name = login ?? NOBODY;
  return {
    ...{ actor: name, action: 'sign-in.failed', subject: name, details: { how }, at },
    ...(address === null ? {} : { varying: { address: networkOf(address) } }),
  };
}
