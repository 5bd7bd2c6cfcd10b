// What is kept about people, and its end. Names and contents of documents go when bookkeeping law (145/1994, art. 20: seven years from the
// end of the year) and the tenant's file no longer want them, and only when a person says so; whatever is not finished stays as it is.
import { randomBytes } from 'node:crypto';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Clock } from '../../domain/runtime.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { type Act, checkedAct } from '../act.js';
import type { ConnectedTenants } from '../connected-tenants.js';
import { type ExpiryRequest, type ExpiryWish, type OriginalsExpiry, wishesOf } from '../originals-expiry.js';
import { firstDayKept } from '../care/limits.js';
import { asLogin } from '../users/passwords.js';
import type { TenantName } from '../../domain/ids.js';

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

export interface AddressesByAge extends AddressCount {
  /** First day that is kept. */
  readonly before: string;
}

export interface Privacy {
  operatorFoundAt(login: string): Promise<readonly FoundAt[]>;
  /** Throws USER_NOT_FOUND and USER_STILL_ENABLED. */
  previewOperator(login: string): Promise<OperatorErasure>;
  /** Of somebody who was disabled: another name in the place of theirs, and nothing that leads to them. */
  eraseOperator(login: string, act: Act): Promise<OperatorErasure>;
  previewAddresses(days: number): Promise<AddressesByAge>;
  removeAddresses(days: number, act: Act): Promise<AddressesByAge>;
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
    ...onOperators(deps),
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

function onOperators({ records, clock }: PrivacyDeps) {
  const made = () => `former-${randomBytes(4).toString('hex')}`;
  /** Whole days: addresses are kept by the day. */
  const since = (days: number) => {
    const before = firstDayKept(days, clock.now());
    return { before, day: before.toISOString().slice(0, 10) };
  };
  const whoLeft = async (login: string) => {
    const name = asLogin(login);
    const found = await records.isOperator(name);
    if (found === 'unknown') throw coded('USER_NOT_FOUND', message('LOGIN_UNKNOWN', { login }));
    if (found === 'disabled') return name;
    throw new CodedError(
      'USER_STILL_ENABLED',
      `${name} may still sign in: ledgerbridge user revoke ${name} comes first.`,
    );
  };
  return {
    operatorFoundAt: (login) => records.operatorFoundAt(asLogin(login)),
    previewOperator: async (login) => records.eraseOperator(await whoLeft(login), made(), null),
    eraseOperator: async (login, act) => records.eraseOperator(await whoLeft(login), made(), checkedAct(act)),
    previewAddresses: async (days) => {
      const { before, day } = since(days);
      return { before: day, ...(await records.countAddresses(before)) };
    },
    removeAddresses: async (days, act) => {
      const { before, day } = since(days);
      return { before: day, ...(await records.removeAddresses(before, checkedAct(act))) };
    },
  } satisfies Partial<Privacy>;
}

// What the records are asked about personal data, and what may be taken out of them.

/** Whose documents: those of this kennitala, and those whose contents name it. Ten digits. */
export interface ContentsWish extends ExpiryWish {
  readonly kennitala?: string | undefined;
}

/** What goes with one document, counted. */
export interface ContentsCount {
  readonly documents: number;
  /** Requests to the ERP, with what it answered. */
  readonly requests: number;
  /** Originals that are still kept. */
  readonly originals: number;
  /** Closed incidents. */
  readonly incidents: number;
}

export interface ContentsPreview extends ContentsCount {
  /** Old enough, and kept: something of it is not finished. */
  readonly unsettled: number;
  /** Old enough, and kept: in no certificate that is green and still true. */
  readonly uncertified: number;
  /** Kept, since they are younger than the period; only where a person was asked for. */
  readonly withinPeriod: number;
}

/** Where something of a person is, as the table is called, and how many rows. */
export interface FoundAt {
  readonly place: string;
  readonly rows: number;
}

export interface DocumentsOf {
  readonly tenant: TenantName;
  readonly documents: number;
  /** Of those whose contents are there. */
  readonly first: string;
  readonly last: string;
}

/** What goes with the age of network addresses. */
export interface AddressCount {
  /** Of sign-ins and tries in the audit, which names them by marks. */
  readonly addresses: number;
  /** Of browsers, that are over. */
  readonly sessions: number;
  /** Counts of tries at a password. */
  readonly tries: number;
}

/** By table, in rows. */
type Rows = Readonly<Record<string, number>>;

export interface OperatorErasure {
  readonly pseudonym: string;
  readonly removed: Rows;
  /** They have the pseudonym in the place of the name. */
  readonly changed: Rows;
  readonly stays: Rows;
}

export interface PrivacyRecords {
  operatorFoundAt(login: string): Promise<readonly FoundAt[]>;
  isOperator(login: string): Promise<'enabled' | 'disabled' | 'unknown'>;
  /** Without an act: what it would do. */
  eraseOperator(login: string, pseudonym: string, act: Act | null): Promise<OperatorErasure>;
  countAddresses(before: Date): Promise<AddressCount>;
  removeAddresses(before: Date, act: Act): Promise<AddressCount>;
  previewContents(wish: ContentsWish): Promise<ContentsPreview>;
  /** The next batch; zero documents: there is nothing more. */
  removeContents(wish: ContentsWish, act: Act, limit: number): Promise<ContentsCount>;
  documentsOf(kennitala: string): Promise<readonly DocumentsOf[]>;
  foundAt(kennitala: string): Promise<readonly FoundAt[]>;
}

export const NOTHING: ContentsCount = { documents: 0, requests: 0, originals: 0, incidents: 0 };

function added(one: ContentsCount, other: ContentsCount): ContentsCount {
  return {
    documents: one.documents + other.documents,
    requests: one.requests + other.requests,
    originals: one.originals + other.originals,
    incidents: one.incidents + other.incidents,
  };
}
