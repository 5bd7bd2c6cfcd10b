// The texts of single ERPs, from their folders: one line here for each. They are small and import nothing, so a process that only shows
// what another one kept (the dashboard) has them without loading an adapter.
import { DKPLUS_ENGLISH, DKPLUS_ICELANDIC } from '../erp/dkplus/texts.js';
import { ODOO_ENGLISH, ODOO_ICELANDIC } from '../erp/odoo/texts.js';
import { UNICONTA_ENGLISH, UNICONTA_ICELANDIC } from '../erp/uniconta/texts.js';
import { XERO_ENGLISH, XERO_ICELANDIC } from '../erp/xero/texts.js';
import { BUSINESS_CENTRAL_ENGLISH, BUSINESS_CENTRAL_ICELANDIC } from '../erp/business-central/texts.js';
import { TRYTON_ENGLISH, TRYTON_ICELANDIC } from '../erp/tryton/texts.js';
import { LAYER_ENGLISH, LAYER_ICELANDIC } from '../erp/http/texts.js';
import { FILE_ENGLISH, FILE_ICELANDIC } from '../erp/file/texts.js';

export const ERP_ENGLISH = {
  ...DKPLUS_ENGLISH,
  ...ODOO_ENGLISH,
  ...UNICONTA_ENGLISH,
  ...XERO_ENGLISH,
  ...BUSINESS_CENTRAL_ENGLISH,
  ...TRYTON_ENGLISH,
  ...LAYER_ENGLISH,
  ...FILE_ENGLISH,
};
export const ERP_ICELANDIC = {
  ...DKPLUS_ICELANDIC,
  ...ODOO_ICELANDIC,
  ...UNICONTA_ICELANDIC,
  ...XERO_ICELANDIC,
  ...BUSINESS_CENTRAL_ICELANDIC,
  ...TRYTON_ICELANDIC,
  ...LAYER_ICELANDIC,
  ...FILE_ICELANDIC,
};
