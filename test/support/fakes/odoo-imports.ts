// Odoo's `load`, which is its import of files: rows of texts, an external id in the column `id`, and errors inside a 200.
// The external id is unique in the database; a row whose id is known belongs to the record that has it.
import { z } from 'zod';
import { OdooException, type OdooRecords, type Row } from './odoo-records.js';
import type { Context } from './odoo-fake.js';

const matrix = z.strictObject({ fields: z.array(z.string()), data: z.array(z.array(z.string())).length(1) });

/** Texts, as a file has them; a boolean is one of its words. */
const partnerRow = z.strictObject({
  id: z
    .string()
    .regex(/^__import__\.\w+$/, 'The prefix refers to a module: the record would be deleted with it'),
  name: z.string().min(1),
  company_registry: z.string().optional(),
  vat: z.string().optional(),
  is_company: z.enum(['0', '1']).transform((word) => word === '1'),
  street: z.string().optional(),
  zip: z.string().optional(),
  city: z.string().optional(),
  email: z.string().optional(),
});

interface Loaded {
  readonly ids: readonly number[] | false;
  readonly messages: readonly { readonly type: 'error'; readonly message: string }[];
  readonly nextrow: number;
}

export class OdooImports {
  readonly #records: OdooRecords;
  #overtaken = false;

  constructor(records: OdooRecords) {
    this.#records = records;
  }

  /** The next import finds that another transaction has just committed the same external id. */
  overtakeNext(): void {
    this.#overtaken = true;
  }

  load(args: Record<string, unknown>, context: Context): Loaded {
    const { fields, data } = matrix.parse(args);
    const [values = []] = data;
    const row = partnerRow.safeParse(
      Object.fromEntries(fields.map((field, index) => [field, values[index]])),
    );
    if (!row.success) return failed(z.prettifyError(row.error));
    const { id: externalId, ...partner } = row.data;
    const loaded = this.#load(externalId, partner, context);
    if (!this.#overtaken) return { ids: [loaded.id], messages: [], nextrow: 0 };
    this.#overtaken = false;
    return failed('could not serialize access due to concurrent update');
  }

  #load(externalId: string, partner: Record<string, unknown>, context: Context): Row {
    const [module = '', name = ''] = externalId.split('.', 2);
    const [known] = this.#records.search('ir.model.data', [
      ['module', '=', module],
      ['name', '=', name],
    ]);
    if (!known) {
      const created = this.#records.insert('res.partner', partner);
      const noupdate = context.noupdate ?? false;
      this.#records.insert('ir.model.data', {
        module,
        name,
        model: 'res.partner',
        res_id: created.id,
        noupdate,
      });
      return created;
    }
    if (known['model'] !== 'res.partner')
      throw new OdooException('odoo.exceptions.ValidationError', `${externalId} is no partner`);
    const record = this.#records.byId('res.partner', Number(known['res_id']));
    const isKept = context.mode === 'update' && known['noupdate'] === true;
    return isKept ? record : Object.assign(record, partner);
  }
}

function failed(message: string): Loaded {
  return { ids: false, messages: [{ type: 'error', message }], nextrow: 0 };
}
