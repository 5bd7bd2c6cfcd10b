// Orders and quotations are in a module of their own, called `sale` in Odoo as in Tryton, which a company may not have.
import type { Told } from '../../domain/message.js';
import { told } from '../../erp/told.js';
import type { ErpHand } from './settings.js';

const IN_IT: readonly ErpHand[] = ['orders', 'quotes'];

/** What is said where it is lacking; null: nothing that is handed over needs it. */
export function needsSales(system: 'Odoo' | 'Tryton', hands: readonly ErpHand[]): Told | null {
  const needed = hands.filter((hand) => IN_IT.includes(hand));
  if (needed.length === 0) return null;
  return told('MODULE_LACKING', { system, module: 'sale', setting: `\`hands: [${needed.join(', ')}]\`` });
}
