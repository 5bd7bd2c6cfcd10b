// What is kept about people, and its end. Names and contents of documents go when bookkeeping law (145/1994, art. 20: seven years from the
// end of the year) and the tenant's file no longer want them, and only when a person says so; whatever is not finished stays as it is.
import type { Clock } from '../../domain/runtime.js';
import { type Act, checkedAct } from '../act.js';
import type { ConnectedTenants } from '../connected-tenants.js';
import { type ExpiryRequest, type ExpiryWish, type OriginalsExpiry, wishesOf } from '../originals-expiry.js';
import {
  added,
  type ContentsCount,
  type ContentsPreview,
  type DocumentsOf,
  type FoundAt,
  NOTHING,
  type PrivacyRecords,
} from './records.js';

export interface ContentsRequest extends ExpiryRequest {
  /** Only documents of this person; left out: all that are old enough. */
  readonly kennitala?: string | undefined;
}

export interface TenantContents extends ContentsPreview, ExpiryWish {}

export interface ContentsDone extends ContentsCount {
  /** Of originals, that nothing else needs. */
  readonly files: number;
  /** false: it was told to stop; the next run goes on. */
  readonly finished: boolean;
}

export interface PersonReport {
  readonly documents: readonly DocumentsOf[];
  readonly places: readonly FoundAt[];
}

export interface Privacy {
  reportOn(kennitala: string): Promise<PersonReport>;
  /** By tenant, before anything is decided. */
  previewContents(request: ContentsRequest): Promise<readonly TenantContents[]>;
  /** In batches; what is stopped half-way is finished by the next run. */
  removeContents(
    request: ContentsRequest,
    act: Act,
    options?: { readonly signal?: AbortSignal; readonly onProgress?: (documents: number) => void },
  ): Promise<ContentsDone>;
}

export interface PrivacyDeps {
  readonly records: PrivacyRecords;
  readonly expiry: Pick<OriginalsExpiry, 'finish'>;
  readonly connections: Pick<ConnectedTenants, 'names' | 'tenant'>;
  readonly clock: Clock;
}

const BATCH = 200;

export function createPrivacy(deps: PrivacyDeps): Privacy {
  const { records } = deps;
  return {
    reportOn: async (kennitala) => ({
      documents: await records.documentsOf(kennitala),
      places: await records.foundAt(kennitala),
    }),
    previewContents: async (request) => {
      const previews: TenantContents[] = [];
      for (const wish of wishesOf(deps, request))
        previews.push({
          ...wish,
          ...(await records.previewContents({ ...wish, kennitala: request.kennitala })),
        });
      return previews;
    },
    removeContents: async (request, act, { signal, onProgress = () => undefined } = {}) => {
      const answerable = checkedAct(act);
      let done = NOTHING;
      for (const wish of wishesOf(deps, request)) {
        const asked = { ...wish, kennitala: request.kennitala };
        for (;;) {
          if (signal?.aborted) return { ...done, files: 0, finished: false };
          const batch = await records.removeContents(asked, answerable, BATCH);
          if (batch.documents === 0) break;
          done = added(done, batch);
          onProgress(done.documents);
        }
      }
      return { ...done, files: await deps.expiry.finish(), finished: true };
    },
  };
}
