import { describe, expect, test } from 'vitest';
import { addMonths, isDateText, SandboxClock } from '../../../lab/sandbox/clock.js';
import { FaultPlan } from '../../../lab/sandbox/faults/fault-plan.js';
import { readAccountFlag, readChoiceFlag, readFaultFlag } from '../../../lab/sandbox/flags.js';
import { html } from '../../../lab/sandbox/html.js';
import { parseMultipart } from '../../../lab/sandbox/http/request.js';
import { Journal, type WrittenEntry } from '../../../lab/sandbox/journal.js';
import { isKennitala } from '../../../lab/sandbox/kennitala.js';
import { seededRandom } from '../../../lab/sandbox/random.js';

describe('clock', () => {
  test('can be moved, stopped and started again without a jump', () => {
    const clock = new SandboxClock();
    clock.set(Date.parse('2026-01-31T23:00:00Z'));
    clock.freeze();
    clock.advance(3_600_000);
    expect(clock.timestamp()).toBe('2026-02-01 00:00:00');
    clock.unfreeze();
    expect(clock.today()).toBe('2026-02-01');
  });

  test('knows real dates from impossible ones, and the ends of months', () => {
    for (const date of ['2026-02-29', '2026-13-01', '2026-1-1', '01.01.2026'])
      expect(isDateText(date)).toBe(false);
    expect(isDateText('2024-02-29')).toBe(true);
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-11-30', 3)).toBe('2027-02-28');
  });
});

describe('journal', () => {
  const entry = (url: string, broken: WrittenEntry['broken'] = []): WrittenEntry => ({
    ...{ atMs: 0, surface: 'credential', method: 'GET', endpoint: 'hello', account: null, agent: null },
    ...{ httpStatus: 200, message: '', fault: null, milliseconds: 1, url, broken },
  });

  test('keeps the newest entries only, and the counts of all', () => {
    const journal = new Journal(3);
    for (let call = 1; call <= 10; call += 1)
      journal.write(entry(`/${call}`, [{ rule: 'endpoint', detail: '' }]));
    expect(journal.read().map(({ id, url }) => [id, url])).toEqual([
      [8, '/8'],
      [9, '/9'],
      [10, '/10'],
    ]);
    expect(journal.read({ sinceId: 9 }).map(({ id }) => id)).toEqual([10]);
    expect(journal.read({ limit: 2 }).map(({ id }) => id)).toEqual([9, 10]);
    expect(journal.brokenRules()).toMatchObject([{ rule: 'endpoint', count: 10 }]);
    expect(journal.total).toBe(10);
  });

  test('blanks secrets in addresses', () => {
    const journal = new Journal(3);
    journal.write(entry('/x?api_key=s1&a=1&en4_maint_code=s2&code=s3'));
    expect(journal.read()[0]!.url).toBe('/x?api_key=***&a=1&en4_maint_code=***&code=***');
  });
});

describe('multipart bodies', () => {
  const body = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
  const part = (name: string, content: string, more = '') =>
    `--b\nContent-Disposition: form-data; name="${name}"${more}\n\n${content}\n`;

  test('give fields and files, binary content untouched', () => {
    const file = `--b\nContent-Disposition: form-data; name="file"; filename="á.pdf"\nContent-Type: application/pdf\n\n--not the end\n\n`;
    const form = parseMultipart(
      body(`${part('date', '2026-01-01')}${file}--b--\n`),
      'multipart/form-data; boundary=b',
    );
    expect(form?.fields.get('date')).toBe('2026-01-01');
    expect(form?.files.get('file')).toMatchObject({ fileName: 'á.pdf', contentType: 'application/pdf' });
    expect(form?.files.get('file')?.content.toString()).toBe('--not the end\r\n');
  });

  test('that are cut off, or lie about their boundary, are refused', () => {
    const whole = body(`${part('a', '1')}--b--\n`);
    expect(parseMultipart(whole.subarray(0, -8), 'multipart/form-data; boundary=b')).toBeNull();
    expect(parseMultipart(whole, 'multipart/form-data; boundary=other')).toBeNull();
    expect(parseMultipart(whole, 'multipart/form-data')).toBeNull();
  });
});

describe('faults', () => {
  test('do not change each other’s luck', () => {
    const strikes = (plan: FaultPlan) =>
      Array.from({ length: 50 }, () => plan.strike('hello', null).some((fault) => fault.kind === 'html'));
    const alone = new FaultPlan(1, [{ kind: 'html', probability: 0.5 }]);
    const together = new FaultPlan(1, [
      { kind: 'html', probability: 0.5 },
      { kind: 'latency', probability: 0.5 },
    ]);
    expect(strikes(together)).toEqual(strikes(alone));
  });
});

describe('command-line values', () => {
  test('become options', () => {
    expect(readFaultFlag('rate-limit@get-costs,times=3,retryAfterSeconds=2')).toEqual({
      ...{ kind: 'rate-limit', endpoint: 'get-costs', times: 3, retryAfterSeconds: 2 },
    });
    expect(readFaultFlag('html')).toEqual({ kind: 'html' });
    expect(readChoiceFlag('creditSign=negative,pageSizeMax=50,invoiceErrorCanChange=false')).toEqual({
      ...{ creditSign: 'negative', pageSizeMax: 50, invoiceErrorCanChange: false },
    });
    expect(readAccountFlag('name=Demo ehf.,invoices=5,costAi=true')).toEqual({
      ...{ name: 'Demo ehf.', invoices: 5, costAi: true },
    });
  });

  test('that are wrong say what would be right', () => {
    expect(() => readFaultFlag('flood')).toThrow(/rate-limit/);
    expect(() => readFaultFlag('html,often=1')).toThrow(/probability/);
    expect(() => readChoiceFlag('creditSign=odd')).toThrow('creditSign is one of positive, negative');
    expect(() => readChoiceFlag('pageSizeMax=many')).toThrow('pageSizeMax is a number');
    expect(() => readAccountFlag('costAi=1')).toThrow('costAi is true or false');
  });
});

test('a kennitala needs ten digits and its check digit', () => {
  expect(isKennitala('5902697199')).toBe(true);
  for (const wrong of ['5902697189', '590269-7199', '590269719', '']) expect(isKennitala(wrong)).toBe(false);
});

test('chance is the same for the same seed, and guids are version 4', () => {
  const [a, b] = [seededRandom('x'), seededRandom('x')];
  expect(Array.from({ length: 5 }, () => a.next())).toEqual(Array.from({ length: 5 }, () => b.next()));
  expect(a.guid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('pages escape what is put into them', () => {
  expect(html`<p title="${'"'}">${'<script>'}${html`<b>${1}</b>`}</p>`.text).toBe(
    '<p title="&quot;">&lt;script&gt;<b>1</b></p>',
  );
});
