// Customers and suppliers by kennitala. Promises: a partner is created only where the configuration allows it; two
// documents of the same new customer create it once (one request under way per kennitala, and a look-up before and
// after); a creation whose outcome is unknown is looked up, never repeated blindly.
import { type Journal, type JournalParty, partyWith } from '../domain/journal.js';
import { type Answer, asRead, orThrow, ReadFailed } from './answer.js';
import type { ErpEntryLine, Rejected } from './erp-adapter.js';
import { rejected, told } from './told.js';

export type PartnerKind = JournalParty['kind'];

/** What is known of a partner; the name only when the journal says who the document is with. */
export interface PartnerWanted {
  readonly kind: PartnerKind;
  readonly kennitala: string;
  readonly party?: JournalParty;
}

export interface PartnerDirectoryOptions<Partner> {
  /** Empty when there is none. More than one is refused here: a bookkeeper has to say which is right. */
  find(wanted: PartnerWanted): Promise<readonly Partner[]>;
  create(party: JournalParty): Promise<Answer<Partner>>;
  readonly mayCreate: boolean;
}

export interface PartnerDirectory<Partner> {
  /** Throws `ReadFailed` when the partner cannot be had. */
  resolve(wanted: PartnerWanted): Promise<Partner>;
}

/** The partners of a whole journal, by `kind/kennitala`. The first that cannot be had decides. */
export async function resolvePartners<Partner>(
  directory: PartnerDirectory<Partner>,
  wanted: readonly PartnerWanted[],
): Promise<ReadonlyMap<string, Partner>> {
  const resolved = new Map<string, Partner>();
  for (const one of wanted) {
    const name = partnerName(one);
    if (!resolved.has(name)) resolved.set(name, await directory.resolve(one));
  }
  return resolved;
}

export function partnerName(wanted: Pick<PartnerWanted, 'kind' | 'kennitala'>): string {
  return `${wanted.kind}/${wanted.kennitala}`;
}

export function createPartnerDirectory<Partner>(
  options: PartnerDirectoryOptions<Partner>,
): PartnerDirectory<Partner> {
  const underWay = new Map<string, Promise<Partner>>();
  return {
    resolve(wanted) {
      const name = partnerName(wanted);
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
): Promise<Partner> {
  const known = await findOne(options, wanted);
  if (known !== undefined) return known;
  if (!options.mayCreate || !wanted.party) throw new ReadFailed(missing(wanted, options.mayCreate));
  const created = await options.create(wanted.party);
  if (created.outcome === 'ok' || created.outcome === 'transient' || created.outcome === 'auth')
    return orThrow(created);
  // Unknown, or refused because somebody else was faster: the look-up tells.
  return (await findOne(options, wanted)) ?? orThrow(asRead(created));
}

async function findOne<Partner>(
  options: PartnerDirectoryOptions<Partner>,
  wanted: PartnerWanted,
): Promise<Partner | undefined> {
  const found = await options.find(wanted);
  if (found.length <= 1) return found[0];
  const { kind, kennitala } = wanted;
  const words = told('PARTNER_TWICE', { count: found.length, kind, kennitala });
  throw new ReadFailed(rejected('unknown-party', words, { party: kennitala }));
}

function missing({ kind, kennitala }: PartnerWanted, mayCreate: boolean): Rejected {
  const words = told('PARTNER_LACKING', { kind, kennitala, mayCreate });
  const made = mayCreate ? { partyIsMade: true as const } : {};
  return rejected('unknown-party', words, { party: kennitala, ...made });
}

/** Accounts that an ERP keeps per customer or per supplier. */
export interface Subledger {
  readonly customers: readonly string[];
  readonly suppliers: readonly string[];
}

/** The partner of a line that belongs in a subledger, or undefined for lines that stand on the ledger alone. */
export function partnerOfLine(
  subledger: Subledger,
  line: Pick<ErpEntryLine, 'account' | 'counterparty'>,
  journal: Pick<Journal, 'party' | 'parties'> = {},
): PartnerWanted | undefined {
  if (line.counterparty === undefined) return undefined;
  const kind = kindOfAccount(subledger, line.account);
  if (!kind) return undefined;
  const kennitala = partyNumber(line.counterparty);
  const party = partyWith(journal, (one) => one.kind === kind && partyNumber(one.kennitala) === kennitala);
  return { kind, kennitala, ...(party ? { party } : {}) };
}

function kindOfAccount(subledger: Subledger, account: string): PartnerKind | undefined {
  if (subledger.customers.includes(account)) return 'customer';
  return subledger.suppliers.includes(account) ? 'supplier' : undefined;
}

export interface SubledgerRules<Partner> {
  readonly system: string;
  readonly subledger: Subledger;
  /** Its number where it is blocked. */
  readonly blocked: (partner: Partner) => string | null;
}

/** The partners of a journal's lines on subledger accounts. One that is blocked is refused. */
export async function subledgerPartners<Partner>(
  directory: PartnerDirectory<Partner>,
  { system, subledger, blocked }: SubledgerRules<Partner>,
  journal: Journal,
): Promise<ReadonlyMap<string, Partner>> {
  const wanted = journal.lines.flatMap((line) => partnerOfLine(subledger, line, journal) ?? []);
  const partners = await resolvePartners(directory, wanted);
  const [partner] = [...partners.values()].flatMap((each) => blocked(each) ?? []);
  if (partner === undefined) return partners;
  throw new ReadFailed(rejected('unknown-party', told('PARTNER_BLOCKED', { system, partner })));
}

// Partners are known by kennitala. One spelling of it, so that two documents of a new customer ask for the same partner.
const KENNITALA = /^\d{6}-?\d{4}$/;

/** Ten digits, without the hyphen that people write; anything else (a foreign number) is kept as it is, trimmed. */
export function partyNumber(kennitala: string): string {
  const text = kennitala.trim();
  return KENNITALA.test(text) ? text.replace('-', '') : text;
}

/** How an ERP may hold the same number: with and without the hyphen. A foreign number has one spelling only. */
export function partySpellings(kennitala: string): string[] {
  const number = partyNumber(kennitala);
  return KENNITALA.test(number) ? [number, `${number.slice(0, 6)}-${number.slice(6)}`] : [number];
}
