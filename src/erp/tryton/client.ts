// The calls to Tryton that the adapter needs, each answered in the port's outcomes.
import * as z from 'zod';
import type { JournalParty } from '../../domain/journal.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { Answer, ReadAnswer } from '../answer.js';
import type { Attachment } from '../erp-adapter.js';
import { partyNumber, partySpellings } from '../partner-directory.js';
import type { Domain, TrytonModels } from './models.js';
import {
  ACCOUNT_FIELDS,
  ANALYTIC_FIELDS,
  bytes,
  COMPANY_FIELDS,
  date,
  moveFields,
  PARTY_FIELDS,
  type WireAccount,
  wireAccounts,
  wireAnalyticAccounts,
  wireCompanies,
  wireIds,
  type WireMove,
  wireMoves,
  wireNamed,
  type WireParty,
  wireParties,
  type WireParts,
  wirePeriods,
  wirePostNumbers,
} from './wire.js';

const MOVES_PER_PAGE = 100;
const NOTHING = z.unknown();

export class TrytonClient {
  readonly #models: TrytonModels;
  readonly #moveFields: readonly string[];

  constructor(models: TrytonModels, parts: WireParts) {
    this.#models = models;
    this.#moveFields = moveFields(parts);
  }

  companies(): Promise<ReadAnswer<z.infer<typeof wireCompanies>>> {
    return this.#models.find('company.company', [], COMPANY_FIELDS, wireCompanies, {});
  }

  journals(): Promise<ReadAnswer<z.infer<typeof wireNamed>>> {
    return this.#models.find('account.journal', [], ['code', 'name'], wireNamed, {});
  }

  currencies(): Promise<ReadAnswer<z.infer<typeof wireNamed>>> {
    return this.#models.find('currency.currency', [], ['code', 'name'], wireNamed, {});
  }

  accounts(company: number): Promise<ReadAnswer<WireAccount[]>> {
    return this.#models.find('account.account', [['company', '=', company]], ACCOUNT_FIELDS, wireAccounts, {
      company,
    });
  }

  analyticAccounts(company: number): Promise<ReadAnswer<z.infer<typeof wireAnalyticAccounts>>> {
    const domain = [['company', '=', company]];
    return this.#models.find('analytic_account.account', domain, ANALYTIC_FIELDS, wireAnalyticAccounts, {
      company,
    });
  }

  periods(company: number, day: IsoDate): Promise<ReadAnswer<z.infer<typeof wirePeriods>>> {
    const domain = [
      ['company', '=', company],
      ['start_date', '<=', date(day)],
      ['end_date', '>=', date(day)],
      ['type', '=', 'standard'],
    ];
    return this.#models.find('account.period', domain, ['name', 'state'], wirePeriods, { company });
  }

  /** By identifier or by the party's own code, with and without the hyphen. */
  parties(kennitala: string): Promise<ReadAnswer<WireParty[]>> {
    const spellings = partySpellings(kennitala);
    const domain = ['OR', ['identifiers.code', 'in', spellings], ['code', 'in', spellings]];
    return this.#models.find('party.party', domain, PARTY_FIELDS, wireParties, {});
  }

  /** The code of a party is unique in Tryton, so a second creation under the same kennitala is refused by the database. */
  async createParty(party: JournalParty): Promise<Answer<WireParty>> {
    const code = partyNumber(party.kennitala);
    const address = { street: party.address ?? '', postal_code: party.zip ?? '', city: party.city ?? '' };
    const values = {
      name: party.name,
      code,
      identifiers: [['create', [{ type: null, code }]]],
      addresses: [['create', [address]]],
    };
    const answer = await this.#models.call('party.party.create', [[values]], wireIds, {});
    if (answer.outcome !== 'ok') return answer;
    const [id = 0] = answer.value;
    return { outcome: 'ok', value: { id, code, name: party.name, 'identifiers.': [{ code }] } };
  }

  moves(company: number, domain: Domain): Promise<ReadAnswer<WireMove[]>> {
    const ours = [['company', '=', company], ...domain];
    return this.#models.find('account.move', ours, this.#moveFields, wireMoves, { company }, MOVES_PER_PAGE);
  }

  /** The next page of a period, by id, so that entries made meanwhile neither shift nor repeat a page. */
  movesAfter(
    company: number,
    afterId: number,
    period: { readonly from: IsoDate; readonly to: IsoDate },
  ): Promise<ReadAnswer<WireMove[]>> {
    return this.moves(company, [
      ['date', '>=', date(period.from)],
      ['date', '<=', date(period.to)],
      ['id', '>', afterId],
      // Moves that Tryton made of invoices have none, and are read with their invoices.
      ['description', '!=', null],
    ]);
  }

  async createMove(company: number, values: unknown): Promise<Answer<number>> {
    const answer = await this.#models.call('account.move.create', [[values]], wireIds, { company });
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value[0] ?? 0 } : answer;
  }

  postMove(company: number, id: number): Promise<Answer<unknown>> {
    return this.#models.call('account.move.post', [[id]], NOTHING, { company });
  }

  /** What a posted move is called; a lighter question than reading it with its lines. */
  async postNumber(company: number, id: number): Promise<ReadAnswer<string | null>> {
    const parameters = [[id], ['post_number']];
    const answer = await this.#models.read('account.move.read', parameters, wirePostNumbers, { company });
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value[0]?.post_number ?? null } : answer;
  }

  deleteMove(company: number, id: number): Promise<Answer<unknown>> {
    return this.#models.call('account.move.delete', [[id]], NOTHING, { company });
  }

  attachments(company: number, resource: string, name: string): Promise<ReadAnswer<number[]>> {
    const domain = [
      ['resource', '=', resource],
      ['name', '=', name],
    ];
    return this.#models.read('ir.attachment.search', [domain, 0, 1, null], wireIds, { company });
  }

  attach(company: number, resource: string, attachment: Attachment): Promise<Answer<unknown>> {
    const values = {
      name: attachment.fileName,
      type: 'data',
      data: bytes(attachment.content),
      resource,
    };
    return this.#models.call('ir.attachment.create', [[values]], NOTHING, { company });
  }
}
