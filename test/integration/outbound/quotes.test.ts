// Quotes over the agent surface, whose answers the documents show in two shapes.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { invoice, outgoingBed, testDatabase } from '../../support/outbound-bed.js';
import type { TestDatabase } from '../../support/database.js';

let database: TestDatabase;
let bed: Awaited<ReturnType<typeof outgoingBed>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

test.each(['as-shown', 'envelope', 'both'] as const)(
  'a quote whose answer is %s is created, and its origin is told what the service calls it',
  async (agentCreates) => {
    bed = await outgoingBed({ database, surface: 'agent', choices: { agentCreates } });
    await bed.put('a.jsonl', [invoice('Q-1', { kind: 'quote' }), invoice('SO-1')]);
    await bed.settle();
    const row = await bed.row('Q-1');
    expect(row).toMatchObject({ state: 'acknowledged', sends: 1 });
    expect(row.guid).toMatch(agentCreates === 'as-shown' ? /^\d+$/ : /-/);
    const told = (await bed.results('a.jsonl')).find(({ reference }) => reference === 'Q-1');
    expect(told).toMatchObject({ state: 'created', guid: row.guid });
    // Where it is listed, its guid is what the list says.
    expect((await bed.row('SO-1')).guid).toMatch(/-/);
  },
);
