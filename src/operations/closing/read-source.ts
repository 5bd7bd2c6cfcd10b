// Everything that the invoicing service shows of a period, by guid.
import type { ListedDocument } from '../../service/invoicing-source.js';
import { contentHash } from '../../sync/content-hash.js';
import { SOURCE_KINDS } from '../../domain/source-document.js';
import type { Runtime } from '../../domain/runtime.js';
import { pageThrough } from '../../sync/intake.js';
import { isCancelled } from '../../sync/reconcile.js';
import type { TenantContext } from '../../sync/tenant-context.js';
import type { Period } from '../connected-tenants.js';

/** Of the record itself only the hash is kept: a year has many. Absent: the list showed none. */
export type DocumentAtSource = Pick<
  ListedDocument,
  'kind' | 'number' | 'amount' | 'currency' | 'accountingStatus'
> & {
  /** Of an invoice: it was cancelled there. */
  readonly isCancelled?: true;
  readonly contentHash?: string;
};

export interface SourceSide {
  readonly documents: ReadonlyMap<string, DocumentAtSource>;
  /** Why it was not read to its end; each is a difference. */
  readonly problems: readonly string[];
}

const STATUSES = ['Created', 'Posted', 'Skipped', 'Error'] as const;

export async function readSource(
  { source, cutOver }: TenantContext,
  { from, to }: Period,
  runtime: Pick<Runtime, 'timers' | 'random'>,
  onProgress: (listed: number) => void,
): Promise<SourceSide> {
  const documents = new Map<string, DocumentAtSource>();
  const problems: string[] = [];
  const fromDate = cutOver !== null && cutOver > from ? cutOver : from;
  if (fromDate > to) return { documents, problems };
  for (const kind of SOURCE_KINDS) {
    for (const accountingStatus of STATUSES) {
      const query = { kind, accountingStatus, fromDate, toDate: to, whole: true } as const;
      const listing = await pageThrough(source, query, runtime, (page) => {
        for (const document of page.documents) documents.set(document.guid, kept(document));
        for (const { guid, problem } of page.problems) problems.push(`${kind} ${guid ?? '?'}: ${problem}`);
        onProgress(documents.size);
        return Promise.resolve();
      });
      if (listing.stopped !== 'end')
        problems.push(`${kind} ${accountingStatus}: ${listing.failure?.message ?? listing.stopped}`);
    }
  }
  return { documents, problems };
}

function kept(listed: ListedDocument): DocumentAtSource {
  const { kind, number, amount, currency, accountingStatus, payment, record } = listed;
  return {
    ...{ kind, number, amount, currency, accountingStatus },
    ...(isCancelled(payment?.status) ? { isCancelled: true } : {}),
    ...(record === undefined ? {} : { contentHash: contentHash(kind, record) }),
  };
}
