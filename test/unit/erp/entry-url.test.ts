// Where a person sees an entry in the ERP, made from the settings alone.
import { describe, expect, it } from 'vitest';
import { erpAdapter, findEntryUrl } from '../../../src/erp/registry.js';

const GUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const SETTINGS: Readonly<Record<string, Record<string, unknown>>> = {
  odoo: { url: 'https://hraun.odoo.com', database: 'hraun', apiKey: 'env:KEY', company: '5402696029' },
  tryton: {
    ...{
      baseUrl: 'https://tryton.hraun.is',
      database: 'hraun',
      user: 'brú',
      password: 'env:P',
      company: 'Hraun',
    },
  },
  xero: { tenantId: GUID, company: '5402696029', clientId: 'c', clientSecret: 'env:S' },
  'business-central': {
    ...{ tenantId: GUID, companyId: GUID, companyName: 'Hraun ehf.', clientId: GUID, clientSecret: 'env:S' },
  },
  file: {},
};

const linked = async (adapter: string, reference: { id: string; number?: string }, more = {}) => {
  const { configuration } = await erpAdapter(adapter);
  const settings = configuration.parse({ ...SETTINGS[adapter], ...more });
  return findEntryUrl({ adapter, settings }, reference);
};

describe('the link to an entry', () => {
  it.each([
    ['odoo', { id: '77' }, 'https://hraun.odoo.com/web#id=77&model=account.move&view_type=form'],
    ['tryton', { id: '12', number: '2026-3' }, 'https://tryton.hraun.is/#hraun/model/account.move/12'],
    [
      'tryton',
      { id: 'account.invoice,7', number: 'SR7' },
      'https://tryton.hraun.is/#hraun/model/account.invoice/7',
    ],
    ['xero', { id: GUID }, `https://go.xero.com/Journal/View.aspx?invoiceID=${GUID}`],
    [
      'business-central',
      { id: GUID, number: '4711' },
      `https://businesscentral.dynamics.com/${GUID}/Production?company=Hraun+ehf.&page=20&filter=%27G%2FL+Entry%27.%27Entry+No.%27+IS+%274711%27`,
    ],
  ])('of %s leads to its own page', async (adapter, reference, url) => {
    expect(await linked(adapter, reference)).toBe(url);
  });

  it('is none where nobody could open it: files, drafts, and a service that is not the real one', async () => {
    expect(await linked('file', { id: '1' })).toBeNull();
    expect(await linked('business-central', { id: GUID, number: 'LB-DRAFT' })).toBeNull();
    expect(await linked('xero', { id: GUID }, { baseUrl: 'http://127.0.0.1:1' })).toBeNull();
  });

  it('holds whatever an ERP calls its entries: a reference is never more than a part of the address', async () => {
    expect(await linked('odoo', { id: '1&model=res.users#"><script>' })).toBe(
      'https://hraun.odoo.com/web#id=1%26model%3Dres.users%23%22%3E%3Cscript%3E&model=account.move&view_type=form',
    );
  });
});
