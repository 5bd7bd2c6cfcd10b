import { afterEach, describe, expect, it } from 'vitest';
import { journal, ledgerClient, type LedgerClient } from './ledger-client.js';

let ledger: LedgerClient;
afterEach(() => ledger.close());

const code = (reply: { body: unknown }): unknown => (reply.body as { error?: { code?: string } }).error?.code;

describe('what the ledger takes', () => {
  it('stores a balanced journal and shows it again as it was sent, Icelandic letters included', async () => {
    ledger = await ledgerClient();
    const posted = await ledger.post('K1');
    expect(posted).toMatchObject({
      status: 201,
      body: { id: 'je-1', number: 'J-000001', key: 'K1', state: 'posted', postingDate: '2025-03-10' },
    });
    const { body } = await ledger.send('GET', '/v1/journals/je-1');
    expect(body).toMatchObject({ ...journal('K1'), reversed: false, attachments: [] });
    expect((await ledger.send('GET', '/v1/journals?key=K1')).body).toEqual({ entries: [body] });
  });

  it('refuses what does not balance, in ISK or in the foreign currency, and stores nothing of it', async () => {
    ledger = await ledgerClient();
    const line = (debit: string, credit: string, currencyAmount?: string) => ({
      account: '1',
      debit,
      credit,
      text: '',
      ...(currencyAmount === undefined ? {} : { currency: 'EUR', currencyAmount }),
    });
    const refused = async (lines: unknown[]) => code(await ledger.post('K', { lines }));
    expect(await refused([line('100.01', '0'), line('0', '100')])).toBe('unbalanced');
    expect(await refused([line('100', '0', '1'), line('0', '100', '-1.01')])).toBe('unbalanced');
    expect(await refused([line('100', '100'), line('0', '0')])).toBe('unbalanced');
    expect(await refused([line('1e2', '0'), line('0', '100')])).toBe('invalid');
    expect(await refused([line('-100', '0'), line('0', '-100')])).toBe('invalid');
    expect(await refused([line('100', '0')])).toBe('invalid');
    expect(ledger.control.counts()).toMatchObject({ entries: 0, stored: 0 });
    expect(await refused([line('100.10', '0', '1'), line('0', '100.1', '-1.00')])).toBeUndefined();
  });

  it('refuses fields it does not know, so that a misspelt one cannot get lost', async () => {
    ledger = await ledgerClient();
    expect(await ledger.post('K', { postingdate: '2025-01-01' })).toMatchObject({ status: 422 });
    expect(code(await ledger.send('POST', '/v1/journals', 'no object', {}))).toBe('invalid');
  });

  it('refuses a closed period and takes the same journal once the period is open', async () => {
    ledger = await ledgerClient();
    ledger.control.closePeriod({ from: '2025-03-01', to: '2025-03-31' });
    expect(await ledger.post('K1')).toMatchObject({
      status: 422,
      body: { error: { code: 'closed_period' } },
    });
    expect(await ledger.post('K2', { postingDate: '2025-04-01' })).toMatchObject({ status: 201 });
    ledger.control.openAllPeriods();
    expect(await ledger.post('K1')).toMatchObject({ status: 201 });
  });

  it('holds journals to the chart of accounts, VAT codes and dimensions once it has one', async () => {
    ledger = await ledgerClient();
    expect((await ledger.send('GET', '/v1/accounts')).body).toMatchObject({
      restricted: false,
      accounts: [],
    });
    const chart = {
      accounts: [
        { account: '1500', name: 'Viðskiptakröfur' },
        { account: '3000', name: 'Sala 24%' },
        { account: '2500', name: 'Útskattur', state: 'blocked' as const },
      ],
      vatCodes: ['U24'],
      dimensions: { project: ['Hús'], costLocation: null },
    };
    ledger.control.setChart(chart);
    expect((await ledger.send('GET', '/v1/accounts')).body).toMatchObject({
      restricted: true,
      accounts: [{ account: '1500', state: 'open' }, {}, { account: '2500', state: 'blocked' }],
    });
    const sale = (change: Record<string, unknown>) => ({
      lines: [
        { account: '1500', debit: '10', credit: '0', text: '' },
        { account: '3000', debit: '0', credit: '10', text: '', ...change },
      ],
    });
    const outcome = async (change: Record<string, unknown>) => code(await ledger.post('K', sale(change)));
    expect(await outcome({ account: '9999' })).toBe('unknown_account');
    expect(await outcome({ account: '2500' })).toBe('blocked_account');
    expect(await outcome({ vatCode: 'U11' })).toBe('unknown_vat_code');
    expect(await outcome({ dimensions: { team: 'A' } })).toBe('unknown_dimension');
    expect(await outcome({ dimensions: { project: 'Bíll' } })).toBe('unknown_dimension');
    expect(await outcome({ dimensions: { constructor: 'A' } })).toBe('unknown_dimension');
    expect(ledger.control.counts().entries).toBe(0);
    expect(
      await outcome({ vatCode: 'U24', dimensions: { project: 'Hús', costLocation: 'x' } }),
    ).toBeUndefined();
  });
});

describe('reversing, attaching, listing', () => {
  it('reverses an entry once, by its mirror image under a key of its own', async () => {
    ledger = await ledgerClient({ behaviour: { idempotency: 'look-up' } });
    await ledger.post('K1');
    const reverse = (key: string) =>
      ledger.send('POST', '/v1/journals/je-1/reversal', { key, date: '2025-03-31', reason: 'Tvíbókað' });
    expect(await reverse('R1')).toMatchObject({ status: 201, body: { id: 'je-2', key: 'R1' } });
    const mirror = ledger.control.entryById('je-2');
    expect(mirror).toMatchObject({ reversed: true, reverses: 'je-1', postingDate: '2025-03-31' });
    expect(mirror?.lines[0]).toMatchObject({ account: '1500', debit: '0', credit: '124000' });
    expect(mirror?.lines[2]).toMatchObject({ vatBase: '100000' });
    expect(ledger.control.entryById('je-1')).toMatchObject({ reversed: true, reversedBy: 'je-2' });
    expect(ledger.control.liveCount('K1')).toBe(0);
    expect(await reverse('R2')).toMatchObject({ status: 422 });
    expect(await ledger.send('POST', '/v1/journals/je-9/reversal', {})).toMatchObject({ status: 404 });
  });

  it('takes its entries back after a restart, so that keys still replay and reversals still count', async () => {
    ledger = await ledgerClient();
    await ledger.post('K1');
    await ledger.post('K2');
    const reversal = { key: 'R1', date: '2025-03-31', reason: 'Tvíbókað' };
    const reverse = () =>
      ledger.send('POST', '/v1/journals/je-1/reversal', reversal, { headers: { 'idempotency-key': 'R1' } });
    await reverse();
    const saved = ledger.control.entries();
    await ledger.close();
    ledger = await ledgerClient();
    ledger.control.restore(JSON.parse(JSON.stringify(saved)) as typeof saved);
    expect(ledger.control.entries()).toEqual(saved);
    expect((await ledger.post('K2')).headers['idempotent-replayed']).toBe('true');
    expect((await reverse()).headers['idempotent-replayed']).toBe('true');
    expect([ledger.control.liveCount('K1'), ledger.control.liveCount('K2')]).toEqual([0, 1]);
    expect(() => ledger.control.restore(saved)).toThrow(/out of order/);
  });

  it('keeps an attachment once, whether it comes as base64 or as a form', async () => {
    ledger = await ledgerClient();
    await ledger.post('K1');
    const bytes = Buffer.from('%PDF-1.4 \r\n\r\n--x þ');
    const target = '/v1/journals/je-1/attachments';
    const inJson = { fileName: 'r.pdf', contentType: 'application/pdf', content: bytes.toString('base64') };
    expect(await ledger.send('POST', target, inJson)).toMatchObject({ status: 201 });
    const form = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhæ\r\n'),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="r.pdf"\r\n'),
      Buffer.from('Content-Type: application/pdf\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=b' } };
    expect(await ledger.send('POST', target, form, multipart)).toMatchObject({
      status: 200,
      body: { fileName: 'r.pdf', contentType: 'application/pdf', bytes: bytes.length },
    });
    expect(ledger.control.entryById('je-1')?.attachments).toHaveLength(1);
    expect(await ledger.send('POST', target, { fileName: 'x' })).toMatchObject({ status: 422 });
  });

  it('lists a period by pages that together hold each entry once, by posting date', async () => {
    ledger = await ledgerClient();
    const days = ['2025-03-03', '2025-03-01', '2025-03-02', '2025-02-28', '2025-04-01'];
    for (let index = 0; index < 25; index++)
      await ledger.post(`K${index}`, { postingDate: days[index % days.length] });
    const seen: { key: string; postingDate: string }[] = [];
    for (let page = 1, more = true; more; page++) {
      const { body } = await ledger.send(
        'GET',
        `/v1/journals?from=2025-03-01&to=2025-03-31&limit=4&page=${page}`,
      );
      const { entries, hasMore } = body as { entries: typeof seen; hasMore: boolean };
      seen.push(...entries);
      more = hasMore;
    }
    expect(new Set(seen.map((entry) => entry.key)).size).toBe(15);
    expect(seen).toHaveLength(15);
    const dates = seen.map((entry) => entry.postingDate);
    expect(dates).toEqual([...dates].sort());
    expect(await ledger.send('GET', '/v1/journals?from=2025-13-01')).toMatchObject({ status: 422 });
    expect(await ledger.send('GET', '/v1/journals?limit=501')).toMatchObject({ status: 422 });
  });

  it('says whose books it keeps, and 404 to what it does not offer', async () => {
    ledger = await ledgerClient({ company: 'Þúfa ehf.', ledger: 'aðalbók' });
    expect((await ledger.send('GET', '/v1/company')).body).toEqual({
      company: 'Þúfa ehf.',
      ledger: 'aðalbók',
    });
    expect(await ledger.send('GET', '/v1/vouchers')).toMatchObject({ status: 404 });
    expect(await ledger.send('DELETE', '/v1/journals/je-1')).toMatchObject({ status: 404 });
  });
});

describe('signatures', () => {
  it('hears only whoever signs with its secret and a clock within five minutes', async () => {
    const nowMs = Date.parse('2025-06-01T12:00:00Z');
    ledger = await ledgerClient({ secret: 'leyndarmál', nowMs: () => nowMs });
    const at = (offsetSeconds: number, secret = 'leyndarmál') => ({
      secret,
      timestampSeconds: nowMs / 1000 + offsetSeconds,
    });
    expect(await ledger.post('K1')).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
    expect(await ledger.post('K1', {}, at(0, 'annað'))).toMatchObject({ status: 401 });
    expect(await ledger.post('K1', {}, at(-301))).toMatchObject({ status: 401 });
    expect(await ledger.post('K1', {}, at(301))).toMatchObject({ status: 401 });
    expect(ledger.control.counts()).toMatchObject({ entries: 0, unauthorized: 4 });
    expect(await ledger.post('K1', {}, at(-299))).toMatchObject({ status: 201 });
    expect(await ledger.send('GET', '/v1/journals?key=K1', undefined, at(0))).toMatchObject({ status: 200 });
  });
});
