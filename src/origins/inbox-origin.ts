// Records that came over HTTP, as an origin: they lie in the inbox, and whoever sent one asks what became of it by its key. So nothing is
// told here; and what cannot be read was refused at the door.
import type { SubmissionKind } from '../domain/submission.js';
import type { NamedAtOrigin, Origin, OriginChanges, OriginRecord } from './origin.js';
import type { Inbox } from './inbox.js';
import type { CreateOrigin } from './origin-services.js';

const ROWS_A_LOOK = 100;

export class InboxOrigin implements Origin {
  readonly name: string;
  readonly #inbox: Inbox;

  constructor(name: string, inbox: Inbox) {
    this.name = name;
    this.#inbox = inbox;
  }

  async changes(cursor: string | null): Promise<OriginChanges> {
    // An origin of another type may have had this name before.
    const from = cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : null;
    const rows = await this.#inbox.after(from, ROWS_A_LOOK);
    const records = rows.map(({ id: _id, ...record }) => record);
    const last = rows.at(-1)?.id ?? from ?? '0';
    return { records, problems: [], looked: [], cursor: last, more: rows.length === ROWS_A_LOOK };
  }

  read(kind: SubmissionKind, reference: string): Promise<OriginRecord | null> {
    return this.#inbox.newest(kind, reference);
  }

  file(place: string, named?: NamedAtOrigin): Promise<Uint8Array | null> {
    const key = place.slice(0, place.lastIndexOf(':'));
    return named?.sha256 === undefined ? Promise.resolve(null) : this.#inbox.file(key, named.sha256);
  }

  tell(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

// Records that come over HTTP, as a tenant file names them.

export const createHttp: CreateOrigin<'http'> = ({ name }, services) =>
  new InboxOrigin(name, services.inbox(name));
