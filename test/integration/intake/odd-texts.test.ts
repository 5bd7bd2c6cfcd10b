// Records with characters that PostgreSQL cannot keep: they are documents like all others, and in nobody's way.
import { incident } from '../../../src/language/incidents/incident-text.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { testDatabase } from '../../support/database.js';
import { intakeBed } from './intake-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

describe.each([
  ['a NUL', 'A\0B', 'A B'],
  ['half a character', 'A\ud800B', 'A\uFFFDB'],
])('a record with %s in its texts', (what, odd, number) => {
  it('is booked and acknowledged, and so are all others', async () => {
    const bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 0, costs: 0, seed: 'odd' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    onTestFinished(() => bed.close());
    const { control } = bed.sandbox;
    const guid = control.issueInvoice('hraun', { unitPrice: '7000' });
    control.editInvoice('hraun', guid, { number: odd, description: odd });
    for (let others = 0; others < 3; others++) control.issueInvoice('hraun', { unitPrice: '1000' });
    await bed.bridge.operations.sweep('hraun', { actor: 'Guðrún', reason: 'a test' });
    while ((await bed.states())['acknowledged'] !== 4) await sleep(100);
    expect(await bed.database.prisma.document.findFirst({ where: { guid } })).toMatchObject({
      number,
    });
  }, 60_000);

  it('is recorded, whichever source it came from', async () => {
    const bed = await intakeBed(database, what);
    bed.handOver('odd', { number: odd });
    bed.handOver('plain');
    expect(await bed.sweep()).toMatchObject({ outcome: 'complete', discovered: 2 });
    expect(await bed.row('odd')).toMatchObject({ document: { number } });
  });
});

describe('an answer with a NUL in it', () => {
  it('is kept with what it is the reason for', async () => {
    const bed = await intakeBed(database, 'odd-answers');
    bed.handOver('x');
    await bed.sweep();
    const claim = await bed.stage.store.claim((await bed.row('x')).id, 'me', 60_000);
    if (!claim) throw new Error('nobody has it, yet it cannot be claimed');
    const said = 'locked\0by somebody';
    await bed.stage.store.commit(claim, {
      action: 'parked',
      to: 'parked',
      reason: { code: 'ODD', subject: said, params: { said } },
      dueInMs: null,
      details: { said },
      incidents: [
        incident(
          'RECORD_WITHOUT_GUID',
          { kind: 'invoice', count: 1, problems: said },
          { severity: 'info', fingerprint: said },
        ),
      ],
    });
    await createBreakerStore(database.db).failed('odd-answers', 'erp', said);
    expect(await bed.row('x')).toMatchObject({
      state: 'parked',
      reasonSubject: 'locked by somebody',
      reasonParams: '{"said":"locked by somebody"}',
    });
  });
});
