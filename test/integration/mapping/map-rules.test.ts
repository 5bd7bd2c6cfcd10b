import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cost, fixture, invoice, type Raw } from '../../unit/mapping/build.js';
import { lines, runMap, workRoom } from './run-map.js';

const { writeWork } = workRoom();

/** The accounts of an invoice and of a cost on account, in their order, or why there are none. */
async function booked(rules: string): Promise<unknown[]> {
  const batch = [
    { kind: 'invoice', document: invoice() },
    { kind: 'cost', document: cost({ how_paid: 1 }) },
  ];
  const { out } = await runMap(
    ['--rules', rules, '--batch', '-'],
    batch.map((record) => JSON.stringify(record)).join('\n'),
  );
  return lines(out).map(({ journal, reason }) =>
    journal ? (journal as { lines: Raw[] }).lines.map(({ account }) => account) : reason,
  );
}

const refusal = async (rules: string): Promise<string> => {
  const error: unknown = await booked(rules).catch((caught: unknown) => caught);
  if (!(error instanceof Error)) throw new Error('they were taken');
  return error.message;
};

const DEFAULT = [
  ['1500', '3000', '2500'],
  ['6400', '1600', '2410'],
];

describe('map --rules', () => {
  test('takes a file that says only what differs from the default', async () => {
    const file = writeWork('few.yaml', "accounts:\n  receivable: '1599'\n");
    expect(await booked(file)).toEqual([['1599', '3000', '2500'], DEFAULT[1]]);
    const json = writeWork('few.json', '{"cost":{"howPaid":{"1":"2999"}}}');
    expect(await booked(json)).toEqual([DEFAULT[0], ['6400', '1600', '2999']]);
  });

  test('takes a file that extends bundled rules and files of its own, the later the stronger', async () => {
    const [dk] = await booked('dk');
    expect(dk).not.toEqual(DEFAULT[0]);
    writeWork('shared.yaml', "accounts:\n  receivable: '1111'\n  vatOut:\n    S: '2222'\n");
    const file = writeWork('layers.yaml', "extends: [dk, ./shared.yaml]\naccounts:\n  receivable: '3333'\n");
    expect((await booked(file))[0]).toEqual(['3333', (dk as string[])[1], '2222']);
    expect((await booked(writeWork('only.yaml', 'extends: [dk]\n')))[0]).toEqual(dk);
  });

  test('takes the rules of a tenant file', async () => {
    const file = writeWork(
      'tenant.yaml',
      "name: hraun\nerp: { adapter: file }\nrules:\n  extends: [default]\n  accounts:\n    receivable: '1599'\n",
    );
    expect(await booked(file)).toEqual([['1599', '3000', '2500'], DEFAULT[1]]);
    expect(await booked(writeWork('bare.yaml', 'name: hraun\nerp: { adapter: file }\n'))).toEqual(DEFAULT);
  });

  test('adds nothing to a file that is complete', async () => {
    const whole = fixture('rules.default.json') as { cost: { codes: Raw } };
    const { '2353': _gone, ...codes } = whole.cost.codes;
    const rules = { ...whole, cost: { ...whole.cost, codes } };
    expect(await booked(writeWork('whole.json', JSON.stringify(rules)))).toEqual([
      DEFAULT[0],
      'UNMAPPED_COST_CODE',
    ]);
  });

  test('the file that docs/how-to/map-accounts.md shows does what the page says', async () => {
    const page = readFileSync(new URL('../../../docs/how-to/map-accounts.md', import.meta.url), 'utf8');
    const shown = /```yaml\n([^`]*1520[^`]*)```/.exec(page)?.[1] ?? '';
    const file = writeWork('shown.yaml', shown);
    expect(await booked(file)).toEqual([
      ['1520', '3000', '2500'],
      ['6400', '1600', '2410'],
    ]);
    const dated = (issue_date: string) =>
      JSON.stringify({ kind: 'invoice', document: invoice({ issue_date }) });
    const { out } = await runMap(['--rules', file, '--batch', '-'], dated('2024-12-31'));
    expect(lines(out)[0]).toMatchObject({ reason: 'BEFORE_CUT_OVER' });
  });

  test.each([
    ['a key that there is not', "accounts:\n  bank: '1'\nacounts: {}\n", 'line 3: acounts'],
    ['an account that is a number', 'accounts:\n  receivable: 1500\n', 'line 2: accounts.receivable'],
    ['bundled rules that there are not', 'extends: [dkk]\n', 'Did you mean "dk"?'],
    ['a file that is not there', 'extends: [./none.yaml]\n', 'no rules file "./none.yaml"'],
    ['extends that is no list', 'extends: dk\n', 'Write it as [default]'],
    ['extends that is no list of names', 'extends: [1]\n', 'Write it as [default]'],
    ['a required group taken away', 'accounts: null\n', 'accounts'],
    ['no group of keys', '- accounts\n', 'does not hold valid rules'],
  ])('says what is wrong with %s', async (what, content, expected) => {
    const message = await refusal(writeWork(`${what.replaceAll(' ', '-')}.yaml`, content));
    expect(message).toContain(expected);
    expect(message.split('\n').length).toBeLessThan(12);
  });
});
