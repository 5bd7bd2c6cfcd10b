// The texts of single ERPs, from their folders: one line here for each. They are small and import nothing, so a process that only shows
// what another one kept (the dashboard) has them without loading an adapter.
import { DKPLUS_ENGLISH, DKPLUS_ICELANDIC } from '../erp/dkplus/texts.js';
import { ODOO_ENGLISH, ODOO_ICELANDIC } from '../erp/odoo/texts.js';
import { UNICONTA_ENGLISH, UNICONTA_ICELANDIC } from '../erp/uniconta/texts.js';
import { XERO_ENGLISH, XERO_ICELANDIC } from '../erp/xero/texts.js';

export const ERP_ENGLISH = { ...DKPLUS_ENGLISH, ...ODOO_ENGLISH, ...UNICONTA_ENGLISH, ...XERO_ENGLISH };
export const ERP_ICELANDIC = {
  ...DKPLUS_ICELANDIC,
  ...ODOO_ICELANDIC,
  ...UNICONTA_ICELANDIC,
  ...XERO_ICELANDIC,
};
