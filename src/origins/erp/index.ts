// The company's own ERP as an origin, by the adapter that its tenant file names.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { ErpServices, Finding } from '../../erp/erp-adapter.js';
import { told } from '../../erp/told.js';
import type { CreateOrigin, OriginServices } from '../origin-services.js';
import { businessCentralRecords } from '../../erp/business-central/origin/index.js';
import { ErpOrigin } from './erp-origin.js';
import type { ErpRecords } from './erp-records.js';
import { type ErpOriginSettings, lacking, type OriginErp } from './settings.js';
import { odooRecords } from '../../erp/odoo/origin/index.js';
import { trytonRecords } from '../../erp/tryton/origin/index.js';

const AT_ONCE = 50;

type Open = (settings: unknown, wish: ErpOriginSettings, services: ErpServices) => ErpRecords;

const OPEN: Readonly<Record<OriginErp, Open>> = {
  'business-central': businessCentralRecords,
  odoo: odooRecords,
  tryton: trytonRecords,
};

/** For `tenant check`: what the ERP lacks of what it is to hand over, and what it does beside it. */
export async function findMissing(
  settings: ErpOriginSettings,
  erp: OriginServices['erp'],
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

export const createErp: CreateOrigin<'erp'> = (settings, { erp, clock }) => {
  const pace = { everyMs: settings.everySeconds * 1_000, atOnce: AT_ONCE };
  return new ErpOrigin(settings.name, openRecords(settings, erp), clock, pace);
};

function openRecords(settings: ErpOriginSettings, erp: OriginServices['erp']): ErpRecords {
  const lacks = lacking(erp.adapter, settings.hands);
  if (lacks.length > 0) {
    const { message, said } = told('ERP_NO_ORIGIN', { adapter: erp.adapter, lacks: lacks.join(', ') });
    throw new CodedError('ERP_ORIGIN_LACKS', message, { said });
  }
  // Whatever lacks nothing is one of these.
  return OPEN[erp.adapter as OriginErp](erp.settings, settings, erp.services());
}
