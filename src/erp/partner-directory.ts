// Customers and suppliers by kennitala. Promises: a partner is created only where the configuration allows it; two
// documents of the same new customer create it once (one request under way per kennitala, and a look-up before and
// after); a creation whose outcome is unknown is looked up, never repeated blindly.
import type { JournalLine, JournalParty, Journal } from '../domain/journal.js';
import type { Answer, ReadAnswer } from './answer.js';
import type { Rejected } from './erp-adapter.js';

export type PartnerKind = JournalParty['kind'];

/** What is known of a partner; the name only when the journal says who the document is with. */
export interface PartnerWanted {
  readonly kind: PartnerKind;
  readonly kennitala: string;
  readonly party?: JournalParty;
}

export interface PartnerDirectoryOptions<Partner> {
  /** Empty when there is none. More than one is refused here: a bookkeeper has to say which is right. */
  find(wanted: PartnerWanted): Promise<ReadAnswer<readonly Partner[]>>;
  create(party: JournalParty): Promise<Answer<Partner>>;
  readonly mayCreate: boolean;
}

export interface PartnerDirectory<Partner> {
  resolve(wanted: PartnerWanted): Promise<ReadAnswer<Partner>>;
}

export function createPartnerDirectory<Partner>(
  options: PartnerDirectoryOptions<Partner>,
): PartnerDirectory<Partner> {
  const underWay = new Map<string, Promise<ReadAnswer<Partner>>>();
  return {
    resolve(wanted) {
      const name = `${wanted.kind}/${wanted.kennitala}`;
      const running = underWay.get(name);
      if (running) return running;
      const started = findOrCreate(options, wanted).finally(() => underWay.delete(name));
      underWay.set(name, started);
      return started;
    },
  };
}

async function findOrCreate<Partner>(
  options: PartnerDirectoryOptions<Partner>,
  wanted: PartnerWanted,
): Promise<ReadAnswer<Partner>> {
  const known = await findOne(options, wanted);
  if (known.outcome !== 'ok') return known;
  if (known.value !== undefined) return { outcome: 'ok', value: known.value };
  if (!options.mayCreate || !wanted.party) return missing(wanted, options.mayCreate);
  const created = await options.create(wanted.party);
  if (created.outcome === 'ok' || created.outcome === 'transient' || created.outcome === 'auth')
    return created;
  // Unknown, or refused because somebody else was faster: the look-up tells.
  const again = await findOne(options, wanted);
  if (again.outcome !== 'ok') return again;
  if (again.value !== undefined) return { outcome: 'ok', value: again.value };
  return created.outcome === 'rejected' ? created : { outcome: 'transient', message: created.message };
}

async function findOne<Partner>(
  options: PartnerDirectoryOptions<Partner>,
  wanted: PartnerWanted,
): Promise<ReadAnswer<Partner | undefined>> {
  const found = await options.find(wanted);
  if (found.outcome !== 'ok') return found;
  if (found.value.length > 1) {
    const message = `The ERP has ${found.value.length} ${wanted.kind}s with kennitala ${wanted.kennitala}. Merge them, or correct the kennitala of all but one.`;
    return { outcome: 'rejected', code: 'unknown-party', message };
  }
  return { outcome: 'ok', value: found.value[0] };
}

function missing(wanted: PartnerWanted, mayCreate: boolean): Rejected {
  const remedy = mayCreate
    ? 'The document does not say its name, so create it in the ERP.'
    : 'Create it in the ERP, or allow the bridge to with `partners.create: true`.';
  const message = `The ERP has no ${wanted.kind} with kennitala ${wanted.kennitala}. ${remedy}`;
  return { outcome: 'rejected', code: 'unknown-party', message };
}

/** The partner of a line that belongs in a subledger, or undefined for lines that stand on the ledger alone. */
export function partnerOfLine(journal: Journal, line: JournalLine): PartnerWanted | undefined {
  if (line.counterparty === undefined) return undefined;
  if (line.role !== 'receivable' && line.role !== 'payable') return undefined;
  const kind = line.role === 'receivable' ? 'customer' : 'supplier';
  const { party } = journal;
  const known = party?.kind === kind && party.kennitala === line.counterparty;
  return { kind, kennitala: line.counterparty, ...(known ? { party } : {}) };
}
