// What a listing showed besides documents that can be read, and what a person should hear of: records that cannot be read, pages that
// repeat, a list without end.
import type { Guid, TenantName } from '../../domain/ids.js';
import { incident } from '../../language/incidents/incident-text.js';
import type { SourceKind } from '../../domain/source-document.js';
import type { ListedDocument, ListPage } from '../../invoicing/invoicing-source.js';
import type { IntakeStore } from '../records.js';
import type { Listing } from './page-through.js';

/** Counted while it is read, so that memory does not know how long it is. */
export class Shown {
  listed = 0;
  problems = 0;
  /** Records without a guid: they cannot become documents. */
  nameless: { readonly length: number; readonly texts: readonly string[] } = { length: 0, texts: [] };
  /** Listed as Created, and on record otherwise since before the list was read. */
  contradicted = 0;
  readonly #kind: SourceKind;

  constructor(kind: SourceKind) {
    this.#kind = kind;
  }

  /** What becomes a document. A record that cannot be read but has a guid does too: it becomes visible instead of lost. */
  add(pages: readonly ListPage[]): ListedDocument[] {
    const problems = pages.flatMap((page) => page.problems);
    const nameless = problems.filter(({ guid }) => guid === null).map(({ problem }) => problem);
    const documents = new Map<string, ListedDocument>();
    for (const { guid } of problems)
      if (guid !== null) documents.set(guid, unreadableDocument(this.#kind, guid));
    for (const document of pages.flatMap((page) => page.documents)) documents.set(document.guid, document);
    this.listed += documents.size;
    this.problems += problems.length;
    this.nameless = {
      length: this.nameless.length + nameless.length,
      texts: [...this.nameless.texts, ...nameless].slice(0, TOLD_MAX),
    };
    return [...documents.values()];
  }
}

const TOLD_MAX = 5;

export async function reportProblems(
  store: IntakeStore,
  tenantName: TenantName,
  kind: SourceKind,
  { stopped, pages }: Listing,
  { nameless, listed }: Shown,
): Promise<void> {
  if (nameless.length > 0) {
    const problems = nameless.texts.join('; ');
    await store.openIncident(
      tenantName,
      incident(
        'RECORD_WITHOUT_GUID',
        { kind, count: nameless.length, problems },
        { severity: 'critical', fingerprint: `${tenantName}:${kind}` },
      ),
    );
  }
  if (stopped !== 'end') {
    const list = { kind, repeats: stopped === 'repeated-page', pages, documents: listed };
    const about = { severity: 'warning', fingerprint: `${tenantName}:${kind}` } as const;
    await store.openIncident(tenantName, incident('LIST_NEVER_ENDS', list, about));
  }
}

function unreadableDocument(kind: SourceKind, guid: Guid): ListedDocument {
  return {
    guid,
    kind,
    accountingStatus: 'Created',
    issueDate: '',
    number: '',
    amount: '0',
    currency: '',
    counterpartyName: '',
    counterpartyKennitala: '',
    updatedTimestamp: '',
  };
}
