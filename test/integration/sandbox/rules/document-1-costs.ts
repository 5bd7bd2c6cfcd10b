// Document 1: costs, from upload to Posted.
import { expect } from 'vitest';
import { KENNITALA, PDF, resultOf, rowsOf, type TestSandbox } from '../sandbox-client.js';
import { rule } from './rule.js';

export const ADVANCED = {
  date: '2026-03-02',
  amount: '12400',
  how_paid: '1',
  supplier_name: 'Heildsala ehf.',
  supplier_id: KENNITALA,
  type: '2353',
  vat_24: '2400',
};

async function newCost({ post }: TestSandbox, changes: Record<string, string> = {}): Promise<string> {
  return String((await post('create-cost-adv', { ...ADVANCED, ...changes })).body['result']);
}

async function approved(sandbox: TestSandbox): Promise<string> {
  const guid = await newCost(sandbox);
  sandbox.sandbox.control.approveCost(sandbox.username, guid);
  return guid;
}

const status = (sandbox: TestSandbox, guid: string, accounting_status: string, accounting_message?: string) =>
  sandbox.post('update-cost', { guid, data: JSON.stringify({ accounting_status, accounting_message }) });

const NOT_CREATED = 'Only costs with accounting_status Created can be updated via the API';
const NOT_MOVABLE =
  'This cost cannot be moved to New (only approved, non-Posted costs can be re-opened for editing)';
const NOT_DELETABLE =
  'This cost cannot be deleted. It may have been posted by bookkeeping or is still being processed';

export const COST_RULES = [
  rule(
    'create-cost-adv',
    '201; the record as read: vat_11 and vat_24 become vat_AA and vat_S',
    async (sandbox) => {
      const answer = await sandbox.post('create-cost-adv', {
        ...ADVANCED,
        vat_11: '110.5',
        description: 'Efni',
      });
      expect(answer.http).toBe(201);
      const guid = String(answer.body['result']);
      expect(resultOf(await sandbox.get('get-cost', { guid }))).toEqual({
        guid,
        description: 'Efni',
        supplier_id: KENNITALA,
        amount: 12400,
        currency: 'ISK',
        vat_AA: 110.5,
        vat_S: 2400,
        cost_code: '2353',
        how_paid: 1,
        file: null,
        file_name: '',
        file_extension: '',
        issue_date: '2026-03-02',
        created_date: '2026-03-10',
        xml: null,
        accounting_status: 'New',
        updated_timestamp: '2026-03-10 12:00:00',
        project_name: '',
      });
    },
  ),
  rule(
    'create-cost-adv',
    'date, amount, how_paid, supplier_name, supplier_id, type are required',
    async ({ post }) => {
      for (const name of ['date', 'amount', 'how_paid', 'supplier_name', 'supplier_id', 'type']) {
        const { body } = await post('create-cost-adv', { ...ADVANCED, [name]: '' });
        expect(body['message']).toBe(`Field ${name} is required`);
      }
    },
  ),
  rule(
    'create-cost-adv',
    'amount stays positive, credit notes included; codes are numeric',
    async ({ post }) => {
      for (const wrong of [
        { amount: '-5', credit_note: '1' },
        { amount: '0' },
        { amount: '1.234' },
        { type: 'Travel' },
        { type: '1111' },
        { how_paid: '5' },
        { supplier_id: '1234567890' },
      ])
        expect((await post('create-cost-adv', { ...ADVANCED, ...wrong })).body['status']).toBe(false);
      expect((await post('create-cost-adv', { ...ADVANCED, credit_note: '1' })).body['status']).toBe(true);
    },
  ),
  rule('create-cost', '201, result GUID, queue false; date and file are required', async (sandbox) => {
    const answer = await sandbox.upload('create-cost', { date: '2026-03-01', description: 'Kvittun' }, PDF);
    expect(answer).toMatchObject({ http: 201, body: { status: true, queue: false } });
    const cost = resultOf(await sandbox.get('get-cost', { guid: String(answer.body['result']) }));
    expect(cost).toMatchObject({ file_name: 'receipt.pdf', file_extension: 'pdf', accounting_status: 'New' });
    expect(Buffer.from(String(cost['file']), 'base64').toString()).toBe(await PDF.text());
    expect((await sandbox.upload('create-cost', {}, PDF)).body['message']).toBe('Field date is required');
    expect((await sandbox.post('create-cost', { date: '2026-03-01' })).body['message']).toBe(
      'Field file is required',
    );
  }),
  rule('create-cost', 'jpg, jpeg, png, gif, pdf, at most 5 MB', async ({ upload }) => {
    const fields = { date: '2026-03-01' };
    for (const file of [
      new File(['text'], 'notes.txt'),
      new File(['not a pdf'], 'fake.pdf'),
      new File([Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(5 * 1024 * 1024)])], 'big.pdf'),
    ])
      expect((await upload('create-cost', fields, file)).body['status'], file.name).toBe(false);
    const png = new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'mynd.PNG');
    expect((await upload('create-cost', fields, png)).http).toBe(201);
  }),
  rule('get-cost', 'Created costs carry their UBL as base64 XML', async (sandbox) => {
    const cost = resultOf(await sandbox.get('get-cost', { guid: await approved(sandbox) }));
    const xml = Buffer.from(String(cost['xml']), 'base64').toString();
    expect(xml).toMatch(/^<\?xml[^>]+>\s*<Invoice/);
    expect(xml).toContain('>12400</cbc:PayableAmount>');
    expect((await sandbox.get('get-cost', { guid: 'x' })).body['message']).toBe('No cost found');
  }),
  rule('update-cost', 'Created → Posted, Skipped or Error', async (sandbox) => {
    for (const wanted of ['Posted', 'Skipped', 'Error']) {
      const guid = await approved(sandbox);
      expect((await status(sandbox, guid, wanted, 'skeyti')).body).toMatchObject({
        status: true,
        result: guid,
      });
      expect(resultOf(await sandbox.get('get-cost', { guid }))['accounting_status']).toBe(wanted);
      expect(sandbox.sandbox.control.cost(sandbox.username, guid).accounting_message).toBe('skeyti');
    }
  }),
  rule(
    'update-cost',
    'New, Posted, Skipped, Error are rejected with the documented message',
    async (sandbox) => {
      expect((await status(sandbox, await newCost(sandbox), 'Posted')).body).toEqual({
        status: false,
        message: NOT_CREATED,
        result: null,
      });
      for (const first of ['Posted', 'Skipped', 'Error']) {
        const guid = await approved(sandbox);
        await status(sandbox, guid, first);
        expect((await status(sandbox, guid, 'Posted')).body['message']).toBe(NOT_CREATED);
      }
    },
  ),
  rule('update-cost', 'other values and messages over 500 characters are rejected', async (sandbox) => {
    const guid = await approved(sandbox);
    for (const wrong of ['Created', 'New', '', 'posted'])
      expect((await status(sandbox, guid, wrong)).body['message']).toBe(
        'Accounting status must be one of: Posted, Skipped, Error',
      );
    expect((await status(sandbox, guid, 'Posted', 'þ'.repeat(501))).body['status']).toBe(false);
    expect((await status(sandbox, guid, 'Posted', 'þ'.repeat(500))).body['status']).toBe(true);
  }),
  rule(
    'move-cost-to-new',
    'approved, non-Posted → New; re-approving regenerates the XML',
    async (sandbox) => {
      const guid = await approved(sandbox);
      expect((await sandbox.post('move-cost-to-new', { guid })).body).toMatchObject({
        status: true,
        result: guid,
      });
      const reopened = resultOf(await sandbox.get('get-cost', { guid }));
      expect(reopened).toMatchObject({ accounting_status: 'New', xml: null });
      sandbox.sandbox.control.editCost(sandbox.username, guid, { amount: 4_960_000, vat_S: 960_000 });
      sandbox.sandbox.control.approveCost(sandbox.username, guid);
      const again = resultOf(await sandbox.get('get-cost', { guid }));
      expect(Buffer.from(String(again['xml']), 'base64').toString()).toContain('>49600</cbc:PayableAmount>');
    },
  ),
  rule('move-cost-to-new', 'the documented errors', async (sandbox) => {
    const message = async (fields: Record<string, string>) =>
      (await sandbox.post('move-cost-to-new', fields)).body['message'];
    expect(await message({})).toBe('Field guid is required');
    expect(await message({ guid: 'unknown' })).toBe('No cost found');
    expect(await message({ guid: await newCost(sandbox) })).toBe(NOT_MOVABLE);
    const posted = await approved(sandbox);
    await status(sandbox, posted, 'Posted');
    expect(await message({ guid: posted })).toBe(NOT_MOVABLE);
  }),
  rule('delete-cost', 'deleted permanently unless Posted', async (sandbox) => {
    const guid = await newCost(sandbox);
    expect((await sandbox.post('delete-cost', { guid })).body['status']).toBe(true);
    expect((await sandbox.post('delete-cost', { guid })).body['message']).toBe('No cost found');
    const posted = await approved(sandbox);
    await status(sandbox, posted, 'Posted');
    expect((await sandbox.post('delete-cost', { guid: posted })).body['message']).toBe(NOT_DELETABLE);
  }),
  rule('get-costs', 'limit defaults to 10; hasMore, limit, page, next_url', async ({ get }) => {
    const first = await get('get-costs');
    expect(rowsOf(first)).toHaveLength(10);
    expect(first.body).toMatchObject({ hasMore: true, limit: 10, page: 1 });
    const next = new URL(String(first.body['next_url']));
    expect(next.searchParams.get('page')).toBe('2');
    const last = await get('get-costs', { limit: '1000' });
    expect(last.body).toMatchObject({ hasMore: false, next_url: null });
    const second = rowsOf(await get('get-costs', { page: '2' })).map((row) => row['guid']);
    expect(second).toEqual(
      rowsOf(last)
        .slice(10, 20)
        .map((row) => row['guid']),
    );
  }),
  rule('get-costs', 'a full last page says that there is no more', async ({ get }) => {
    const count = Number((await get('get-count-costs')).body['result']);
    const exact = await get('get-costs', { limit: String(count) });
    expect(exact.body).toMatchObject({ hasMore: false, next_url: null });
    expect(rowsOf(exact)).toHaveLength(count);
  }),
  rule(
    'get-costs',
    'filters: accounting_status, type, supplier_id; 400 for a wrong status',
    async (sandbox) => {
      const guid = await newCost(sandbox, { type: '9535', supplier_id: '4710080280' });
      const guids = async (query: Record<string, string>) =>
        rowsOf(await sandbox.get('get-costs', { limit: '500', ...query })).map((row) => row['guid']);
      expect(await guids({ type: '9535', accounting_status: 'New' })).toContain(guid);
      expect(await guids({ supplier_id: '4710080280', accounting_status: 'New,Created' })).toContain(guid);
      expect(await guids({ supplier_id: '4710080280', accounting_status: 'Posted' })).toEqual([]);
      expect((await sandbox.get('get-costs', { type: 'Travel' })).body['status']).toBe(false);
      expect(await sandbox.get('get-costs', { accounting_status: 'Done' })).toMatchObject({
        http: 400,
        body: { error_code: 'invalid_accounting_status' },
      });
    },
  ),
  rule('get-costs', 'date_filter date (default) or created_date, both ends inclusive', async (sandbox) => {
    const guid = await newCost(sandbox, { date: '2019-06-17' });
    const has = async (query: Record<string, string>) =>
      rowsOf(await sandbox.get('get-costs', { limit: '500', ...query })).some((row) => row['guid'] === guid);
    expect(await has({ from_date: '2019-06-17', to_date: '2019-06-17' })).toBe(true);
    expect(await has({ from_date: '2019-06-18' })).toBe(false);
    expect(await has({ to_date: '2019-06-16' })).toBe(false);
    expect(await has({ date_filter: 'created_date', from_date: '2026-03-10', to_date: '2026-03-10' })).toBe(
      true,
    );
    expect(await has({ date_filter: 'created_date', to_date: '2026-03-09' })).toBe(false);
  }),
  rule('get-costs', 'sort: date_desc (default), date_asc, created_desc, created_asc', async ({ get }) => {
    const days = async (sort: string, field: string) =>
      rowsOf(await get('get-costs', { limit: '500', sort })).map((row) => String(row[field]));
    const down = rowsOf(await get('get-costs', { limit: '500' })).map((row) => String(row['issue_date']));
    expect(down).toEqual([...down].sort().reverse());
    expect(await days('date_asc', 'issue_date')).toEqual([...down].sort());
    const created = await days('created_asc', 'created_date');
    expect(created).toEqual([...created].sort());
    expect(await days('created_desc', 'created_date')).toEqual([...created].reverse());
  }),
  rule('get-count-costs', 'the same filters → integer', async ({ get }) => {
    for (const query of [{}, { accounting_status: 'New' }, { type: '2353' }, { to_date: '2026-02-15' }]) {
      const rows = rowsOf(await get('get-costs', { limit: '500', ...query }));
      expect((await get('get-count-costs', query)).body['result']).toBe(rows.length);
    }
    expect((await get('get-count-costs', { accounting_status: 'x' })).http).toBe(400);
  }),
];
