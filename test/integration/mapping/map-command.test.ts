import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { CliIo } from '../../../src/cli/command.js';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { report } from '../../../src/cli/main.js';
import { MAP_EXIT } from '../../../src/cli/map.js';
import { cost, fixture, invoice, item, type Raw } from '../../unit/mapping/build.js';
import { differences, type Example } from '../../unit/mapping/compare-example.js';
import { lines, runMap, workRoom } from './run-map.js';

const { writeWork } = workRoom();

const RULES = fileURLToPath(new URL('../../fixtures/mapping/rules.default.json', import.meta.url));
const examples = fixture('examples.json') as Example[];
const asInput = ({ id, kind, document, context, rules }: Raw) =>
  JSON.stringify({ id, kind, document, context, rules });
const batch = examples.map(asInput).join('\n');

describe('map --batch', () => {
  test('all worked examples come out as expected, in their order, from a file and from standard input', async () => {
    const fromFile = await runMap(['--rules', RULES, '--batch', writeWork('examples.ndjson', `${batch}\n`)]);
    const mapped = lines(fromFile.out);
    expect(mapped.map(({ id }) => id)).toEqual(examples.map(({ id }) => id));
    expect(examples.flatMap((example, at) => differences(example, mapped[at] ?? {}))).toEqual([]);
    const fromStdin = await runMap(['--rules', RULES, '--batch', '-'], batch);
    expect(fromStdin).toEqual(fromFile);
  });

  test('the bundled default rules give the same', async () => {
    const mapped = lines((await runMap(['--batch', '-'], batch)).out);
    expect(examples.flatMap((example, at) => differences(example, mapped[at] ?? {}))).toEqual([]);
  });

  test('rules may be YAML', async () => {
    const yaml = fileURLToPath(new URL('../../../config/rules/dk.yaml', import.meta.url));
    const [mapped] = lines(
      (
        await runMap(
          ['--rules', yaml, '--batch', '-'],
          JSON.stringify({ id: 1, kind: 'invoice', document: invoice() }),
        )
      ).out,
    );
    expect(mapped).toMatchObject({
      id: 1,
      outcome: 'post',
      journal: { lines: [{ account: '7600' }, {}, {}] },
    });
  });

  test('what cannot be read is an outcome of its line, and the batch goes on', async () => {
    const broken = [
      'not json',
      '[]',
      '{"id":"k","kind":"quote","document":{}}',
      '{"id":"d","kind":"invoice","document":{"guid":"g","amount":"lots"}}',
      `{"id":"r","kind":"invoice","document":${JSON.stringify(invoice())},"rules":{"acounts":{}}}`,
      '',
      `{"id":"ok","kind":"cost","document":${JSON.stringify(cost())}}`,
    ];
    const mapped = lines((await runMap(['--batch', '-'], broken.join('\r\n'))).out);
    expect(mapped.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      [null, 'park', 'MALFORMED_DOCUMENT'],
      [null, 'park', 'MALFORMED_DOCUMENT'],
      ['k', 'park', 'MALFORMED_DOCUMENT'],
      ['d', 'park', 'MALFORMED_DOCUMENT'],
      ['r', 'park', 'RULES_INVALID'],
      ['ok', 'post', undefined],
    ]);
  });

  test('a line with rules beyond reason is parked, and every other line has its answer', async () => {
    const nested = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`;
    const document = JSON.stringify(invoice());
    const record = (id: number, rules: string) =>
      `{"id":${String(id)},"kind":"invoice","document":${document},"rules":${rules}}`;
    const some = [
      record(1, '{}'),
      record(2, nested),
      record(3, `{"fx":{"table":${nested}}}`),
      record(4, '{}'),
    ];
    const mapped = lines((await runMap(['--batch', '-'], some.join('\n'))).out);
    expect(mapped.map(({ id, reason }) => [id, reason])).toEqual([
      [1, undefined],
      [2, 'RULES_INVALID'],
      [3, 'RULES_INVALID'],
      [4, undefined],
    ]);
  });

  test('a byte order mark before the first record is no part of it', async () => {
    const record = JSON.stringify({ id: 'first', kind: 'cost', document: cost() });
    const marked = `\ufeff${record}\n${record}`;
    const expected = [
      { id: 'first', outcome: 'post' },
      { id: 'first', outcome: 'post' },
    ];
    expect(lines((await runMap(['--batch', '-'], marked)).out)).toMatchObject(expected);
    const file = writeWork('marked.ndjson', marked);
    expect(lines((await runMap(['--batch', file])).out)).toMatchObject(expected);
  });

  test('an id that is a number comes back as that number, whatever else the line holds', async () => {
    const record = (id: string) =>
      `{"id":${id},"kind":"invoice","document":${JSON.stringify(invoice({ description: '1'.repeat(20) }))}}`;
    const { out } = await runMap(['--batch', '-'], [record('7'), record('9007199254740993')].join('\n'));
    expect(lines(out).map(({ id }) => id)).toEqual([7, '9007199254740993']);
  });

  test('amounts are decimal strings with every digit', async () => {
    const rules = { rounding: { iskDecimals: 2 } };
    const document = JSON.stringify(invoice({ items: [item({ price: 1, tax: 'Z' })] }))
      .replace('"unit_price":1', '"unit_price":9007199254740993.25')
      .replace('"amount":124000', '"amount":9007199254740993.25')
      .replace('"total_0vat":0', '"total_0vat":9007199254740993.25');
    const [mapped] = lines(
      (
        await runMap(
          ['--batch', '-'],
          `{"id":"big","kind":"invoice","document":${document},"rules":${JSON.stringify(rules)}}`,
        )
      ).out,
    );
    expect(mapped).toMatchObject({ outcome: 'park', reason: 'MALFORMED_DOCUMENT' });
    const smaller = document.replaceAll('9007199254740993.25', '123456789012345.67');
    const [posted] = lines(
      (
        await runMap(
          ['--batch', '-'],
          `{"id":"big","kind":"invoice","document":${smaller},"rules":${JSON.stringify(rules)}}`,
        )
      ).out,
    );
    expect(posted).toMatchObject({
      journal: { lines: [{ debit: '123456789012345.67', credit: '0' }, { credit: '123456789012345.67' }] },
    });
  });

  test('the trace comes with --explain only', async () => {
    const record = JSON.stringify({ id: 1, kind: 'cost', document: cost() });
    expect(lines((await runMap(['--batch', '-'], record)).out)[0]).not.toHaveProperty('trace');
    expect(lines((await runMap(['--batch', '-', '--explain'], record)).out)[0]).toHaveProperty('trace');
  });
});

describe('map of one document', () => {
  test('is a table that a bookkeeper can read', async () => {
    const { out, code } = await runMap([writeWork('invoice.json', JSON.stringify(invoice()))]);
    expect(code).toBe(0);
    for (const text of ['SR1001', 'Dæmi ehf.', '124.000', '100.000', 'U24', '4101212040', 'Total'])
      expect(out).toContain(text);
  });

  test('may begin with a byte order mark', async () => {
    const { code } = await runMap([writeWork('marked.json', `\ufeff${JSON.stringify(invoice())}`)]);
    expect(code).toBe(MAP_EXIT.post);
  });

  test('keeps its id as JSON, too', async () => {
    const record = { id: 7, kind: 'invoice', document: invoice({ description: '1'.repeat(20) }) };
    const { out } = await runMap(['-', '--json'], JSON.stringify(record));
    expect(JSON.parse(out)).toMatchObject({ id: 7 });
  });

  test('a kind that there is not is a mistake of the command line', async () => {
    const document = writeWork('invoice.json', JSON.stringify(invoice()));
    const failure: unknown = await runMap([document, '--kind', 'quote']).catch((error: unknown) => error);
    const silent = { ...({} as CliIo), err: () => undefined };
    expect(report(failure, silent)).toBe(EXIT.usage);
  });

  test('--explain adds which rule chose what', async () => {
    const { out } = await runMap(['--explain', writeWork('cost.json', JSON.stringify(cost()))]);
    expect(out).toContain('cost.codes.2353.account');
  });

  test('--explain shows how far a document came, and nothing where it was stopped at the gate', async () => {
    const parked = await runMap(
      ['-', '--explain'],
      JSON.stringify(invoice({ currency: 'EUR', exchange_rate: 0 })),
    );
    expect(parked.out).toContain('The lines with VAT give the amount');
    const draft = await runMap(['-', '--explain'], JSON.stringify(invoice({ status: 'Draft' })));
    expect(draft.out).toMatch(/^DEFER {2}DRAFT\n.*\nWhat to do: .*\n$/);
  });

  test('nothing that a document says steers the terminal', async () => {
    const clear = '\u001b[2J\u009b2J';
    const customer = { name: clear, registration_no: clear };
    const rules = { dimensions: { invoice: { booking: 'b' } } };
    const over = {
      number: clear,
      description: clear,
      booking: clear,
      customer,
      items: [{ ...item({ price: 100000 }), description: clear }],
    };
    const record = { kind: 'invoice', document: invoice(over), rules };
    const posted = await runMap(['-', '--explain'], JSON.stringify(record));
    expect(posted.code).toBe(MAP_EXIT.post);
    const rejected = await runMap(['-'], JSON.stringify(invoice({ status: clear })));
    expect(rejected.code).toBe(MAP_EXIT.reject);
    for (const { out } of [posted, rejected]) expect(out).not.toMatch(/[^\P{Cc}\n]/u);
  });

  test.each([
    ['post', {}, MAP_EXIT.post],
    ['skip', { amount: 0, items: [] }, MAP_EXIT.skip],
    ['defer', { status: 'Draft' }, MAP_EXIT.defer],
    ['park', { currency: 'EUR', exchange_rate: 0 }, MAP_EXIT.park],
    ['reject', { amount: 1 }, MAP_EXIT.reject],
  ])('%s has an exit code of its own', async (outcome, over, expected) => {
    const { out, code } = await runMap(['-'], JSON.stringify(invoice(over)));
    expect(code).toBe(expected);
    if (outcome !== 'post') expect(out).toMatch(new RegExp(`^${outcome.toUpperCase()}[^]*What to do: `));
  });

  test('the exit codes are all different', () => expect(new Set(Object.values(MAP_EXIT)).size).toBe(5));

  test('takes a whole record with its context', async () => {
    const record = {
      kind: 'invoice',
      document: invoice({ amount: 100000 }),
      context: { customer: { tax_exempt: true } },
    };
    const { out, code } = await runMap(['-', '--json'], JSON.stringify(record));
    expect([code, (JSON.parse(out) as Raw)['warnings']]).toEqual([0, ['TAX_EXEMPT_CUSTOMER']]);
  });
});

describe('map says what to do about', () => {
  test.each([
    ['neither document nor batch', []],
    ['both document and batch', ['x.json', '--batch', 'y']],
    ['rules that are not there', ['x.json', '--rules', 'none.yaml']],
    ['rules of another shape', ['x.json', '--rules', writeWork('odd.yaml', 'acounts: {}')]],
    ['a document that is not there', ['missing.json']],
    ['a document that is not JSON', [writeWork('odd.json', 'hello')]],
    ['a batch that is not there', ['--batch', 'missing.ndjson']],
  ])('%s', async (_what, args) => {
    await expect(runMap(args)).rejects.toMatchObject({ name: 'CodedError' });
  });
});
