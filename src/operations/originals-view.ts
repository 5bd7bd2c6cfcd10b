// What people do with originals: see where they are, have the whole store hashed again, and have one tried again.
import type { Guid, TenantName } from '../domain/ids.js';
import type { OriginalReason, OriginalRole, OriginalState } from '../domain/original.js';
import { keptText } from '../language/say.js';
import type { Vault } from '../originals/vault.js';
import { type Act, checkedAct } from './act.js';

export interface OriginalRow {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly kind: string;
  readonly number: string;
  readonly guid: Guid;
  readonly role: OriginalRole;
  readonly state: OriginalState;
  readonly since: string;
  readonly reason: OriginalReason | null;
  readonly detail: string | null;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly contentType: string | null;
  readonly sourceName: string | null;
  readonly erpFileName: string | null;
  readonly erpNumber: string | null;
  /** Since when the law no longer wants it kept; null: it is kept. */
  readonly expiredAt: string | null;
}

export interface OriginalsQuery {
  readonly tenant?: string | undefined;
  readonly state?: OriginalState | undefined;
  readonly postingId?: string | undefined;
  readonly limit: number;
}

export interface OriginalsReader {
  list(query: OriginalsQuery): Promise<readonly OriginalRow[]>;
  counts(tenant: TenantName | null): Promise<Readonly<Record<string, number>>>;
  /** Every file that is on record, once each, by hash, in pages. */
  hashes(after: string, limit: number): Promise<readonly string[]>;
  hashCount(): Promise<number>;
  /** The documents that this file belongs to. */
  owners(sha256: string): Promise<readonly string[]>;
  /** false: it is not one that waits for a person. */
  retry(id: string, act: Act): Promise<boolean>;
}

export interface OriginalsVerification {
  readonly files: number;
  readonly problems: readonly {
    readonly sha256: string;
    readonly what: 'missing' | 'changed';
    readonly of: readonly string[];
  }[];
  /** More than are named. */
  readonly more: number;
  readonly whole: boolean;
}

export interface OriginalsView {
  list(query: OriginalsQuery): Promise<readonly OriginalRow[]>;
  counts(tenant?: string): Promise<Readonly<Record<string, number>>>;
  verify(onProgress?: (done: number, total: number) => void): Promise<OriginalsVerification>;
  /** The file itself, hashed again before it is shown; null: there is none of this document under that id. */
  file(postingId: string, id: string): Promise<OriginalFile | null>;
  retry(id: string, act: Act): Promise<boolean>;
}

export interface OriginalFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly content: Uint8Array;
}

const OF_ONE_MAX = 50;
const PAGE = 1_000;
const AT_ONCE = 8;
const NAMED_MAX = 1_000;

export function createOriginalsView(
  reader: OriginalsReader,
  vault: Pick<Vault, 'check' | 'read'>,
): OriginalsView {
  return {
    list: async (query) => {
      const rows = await reader.list(query);
      return rows.map((row) => ({ ...row, detail: row.detail && keptText('en', row.detail) }));
    },
    counts: (tenant) => reader.counts(tenant ?? null),
    verify: (onProgress) => verify(reader, vault, onProgress ?? (() => undefined)),
    file: async (postingId, id) => {
      const rows = await reader.list({ postingId, limit: OF_ONE_MAX });
      const row = rows.find((one) => one.id === id);
      if (!row || row.sha256 === null || row.contentType === null || row.expiredAt !== null) return null;
      const reading = await vault.read(row.sha256);
      if (reading.outcome !== 'whole') return null;
      const fileName = row.erpFileName ?? `${row.kind}-${row.role}-${row.sha256.slice(0, 12)}`;
      return { contentType: row.contentType, fileName, content: reading.content };
    },
    retry: (id, act) => reader.retry(id, checkedAct(act)),
  };
}

async function verify(
  reader: OriginalsReader,
  vault: Pick<Vault, 'check'>,
  onProgress: (done: number, total: number) => void,
): Promise<OriginalsVerification> {
  const total = await reader.hashCount();
  const problems: OriginalsVerification['problems'][number][] = [];
  let files = 0;
  let found = 0;
  let after = '';
  for (;;) {
    const page = await reader.hashes(after, PAGE);
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const some = page.slice(at, at + AT_ONCE);
      const checked = await Promise.all(some.map((sha256) => vault.check(sha256)));
      for (const [index, what] of checked.entries()) {
        if (what === 'whole') continue;
        found += 1;
        const sha256 = some[index] ?? '';
        if (problems.length < NAMED_MAX) problems.push({ sha256, what, of: await reader.owners(sha256) });
      }
      files += some.length;
      onProgress(files, total);
    }
    after = page.at(-1) ?? '';
    if (page.length < PAGE) return { files, problems, more: found - problems.length, whole: found === 0 };
  }
}
