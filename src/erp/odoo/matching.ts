// A payment or a credit note in Odoo settles its invoice only when the two are matched. It is done after the posting and changes no amount,
// so what fails here is noted, and a bookkeeper can still do it.
import type { Journal } from '../../domain/journal.js';
import type { Answer } from '../answer.js';
import type { ErpLog } from '../erp-adapter.js';
import { MATCHED_LINES_MAX } from './assumptions.js';
import type { OdooClient } from './client.js';
import { owedInKronur } from './documents.js';
import { ignored, odooMoveId, odooOpenLine } from './wire.js';

export class OdooMatching {
  readonly #client: OdooClient;
  readonly #log: ErpLog;

  constructor(client: OdooClient, log: ErpLog) {
    this.#client = client;
    this.#log = log;
  }

  /** With the invoice that the journal is about: its own where it is a payment, the original where it is a credit note. */
  async matchWithInvoice(moveId: number, journal: Journal): Promise<void> {
    const { appliesTo, externalReference } = journal;
    if (appliesTo === undefined && owedInKronur(journal)) return;
    const domain = [
      ['invoice_origin', '=', appliesTo ?? externalReference],
      ['state', '=', 'posted'],
    ];
    const found = await this.#client.searchRead('account.move', domain, ['move_type'], odooMoveId, {
      limit: 2,
    });
    const [invoice, another] = found.outcome === 'ok' ? found.value.filter(({ id }) => id !== moveId) : [];
    if (invoice && !another) await this.together(moveId, invoice.id);
  }

  async together(moveId: number, otherId: number): Promise<void> {
    const matched = await this.#match(moveId, otherId);
    if (matched.outcome !== 'ok')
      this.#log.warn({ entry: moveId, with: otherId }, `not matched in Odoo: ${matched.message}`);
  }

  async #match(moveId: number, otherId: number): Promise<Answer<unknown>> {
    const domain = [
      ['move_id', 'in', [moveId, otherId]],
      ['reconciled', '=', false],
      ['account_id.reconcile', '=', true],
    ];
    const fields = ['move_id', 'account_id'];
    const limit = MATCHED_LINES_MAX;
    const open = await this.#client.searchRead('account.move.line', domain, fields, odooOpenLine, { limit });
    if (open.outcome !== 'ok') return open;
    for (const account of new Set(open.value.map(({ account_id }) => account_id))) {
      const lines = open.value.filter(({ account_id }) => account_id === account);
      if (new Set(lines.map(({ move_id }) => move_id)).size < 2) continue;
      const ids = lines.map(({ id }) => id);
      const call = { model: 'account.move.line', method: 'reconcile', ids, arguments: {} };
      const answer = await this.#client.call(call, ignored);
      if (answer.outcome !== 'ok') return answer;
    }
    return { outcome: 'ok', value: undefined };
  }
}
