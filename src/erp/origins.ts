// What each ERP hands over as an origin, by the adapter that the tenant file names.
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErpServices, Finding } from './erp-adapter.js';
import { told } from './told.js';
import { businessCentralRecords } from './business-central/origin/index.js';
import type { ErpRecords } from '../origins/erp-records.js';
import { type ErpOriginSettings, lacking, type OriginErp } from '../origins/origin-settings.js';
import { odooRecords } from './odoo/origin/index.js';
import { trytonRecords } from './tryton/origin/index.js';

type Open = (settings: unknown, wish: ErpOriginSettings, services: ErpServices) => ErpRecords;

const OPEN: Readonly<Record<OriginErp, Open>> = {
  'business-central': businessCentralRecords,
  odoo: odooRecords,
  tryton: trytonRecords,
};

/** As the tenant file has it. */
interface ErpOfTenant {
  readonly adapter: string;
  readonly settings: unknown;
  services(): ErpServices;
}

/** For `tenant check`: what the ERP lacks of what it is to hand over, and what it does beside it. */
export async function findMissing(
  settings: ErpOriginSettings,
  erp: ErpOfTenant,
): Promise<readonly Finding[]> {
  const records = openRecords(settings, erp);
  try {
    const missing = await records.missing();
    const doubts = missing.length > 0 ? [] : ((await records.doubts?.()) ?? []);
    return [
      ...missing.map((words): Finding => ({ severity: 'error', ...words })),
      ...doubts.map((words): Finding => ({ severity: 'warning', ...words })),
    ];
  } finally {
    await records.close();
  }
}

export function openRecords(settings: ErpOriginSettings, erp: ErpOfTenant): ErpRecords {
  const lacks = lacking(erp.adapter, settings.hands);
  if (lacks.length > 0) {
    const { message, said } = told('ERP_NO_ORIGIN', { adapter: erp.adapter, lacks: lacks.join(', ') });
    throw new CodedError('ERP_ORIGIN_LACKS', message, { said });
  }
  // Whatever lacks nothing is one of these.
  return OPEN[erp.adapter as OriginErp](erp.settings, settings, erp.services());
}
