// What the bridge does with documents and tenants that take their time: none is tried for ever in silence, none keeps the
// others from their turn, and waiting uses up nothing.
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { sweep } from '../../../src/sync/intake.js';
import { advanceClaimed, advancePosting, type Claimed } from '../../../src/sync/advance.js';
import { TRIES_MAX } from '../../../src/sync/back-off.js';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
import { createDispatchStore } from '../../../src/store/dispatch-store.js';
import { replayVerdict } from '../../../src/operations/replay-verdict.js';
import { readReplayFacts } from '../../../src/store/operations/cause-reader.js';
import { testDatabase } from '../../support/database.js';
import { pipelineBed } from '../../support/pipeline-bed.js';
import type { ErpEntry, FindOutcome, PostOutcome, PreparedPost } from '../../../src/erp/erp-adapter.js';
import type { ErpKind, SimulatedLedger } from '../../../lab/proof/simulated-ledger.js';

const database = await testDatabase();
const { prisma, db } = database;
afterAll(() => database.close());
const dispatch = createDispatchStore(database);

/** What the next round gives the tenant, claimed as a worker does. */
const take = async (tenant: string): Promise<readonly Claimed[]> => {
  const askedAtMs = Date.now();
  const turns = await dispatch.turnsDue({ stage: 'post', tenants: [tenant], perTenant: 8, probeMs: 30_000 });
  const claims = await Promise.all(turns.map((turn) => dispatch.claim(turn, turn.share, 'me', 90_000)));
  return claims.flat().map((claim) => ({ claim, askedAtMs }));
};

/** Documents d1, d2, … found and waiting. */
async function scene(name: string, documents: number, erpKind?: ErpKind) {
  const bed = await pipelineBed(database, name, erpKind);
  for (let number = 1; number <= documents; number++)
    bed.handOver(`d${String(number)}`, { issueDate: '2026-11-15' });
  await sweep(bed.intake, bed.tenant, 'invoice', '2026-01-01');
  const states = async () => {
    const rows = await prisma.posting.groupBy({ by: ['state'], where: { tenantName: name }, _count: true });
    return Object.fromEntries(rows.map((row) => [row.state, row._count]));
  };
  return { ...bed, states };
}

function shown(ledger: SimulatedLedger, key: string): FindOutcome {
  const [entry] = ledger.under(key);
  if (!entry) return { outcome: 'none' };
  const { id, state, journal } = entry;
  const { postingDate, lines } = journal;
  return { outcome: 'one', entry: { reference: { id }, key, state, postingDate, lines } };
}

/** Waits are over, without waiting. A moment is kept to the millisecond, and may be rounded up to one that is still to come. */
const waited = (tenant: string) =>
  prisma.$executeRaw`UPDATE posting SET due_at = least(due_at, now() - interval '1 millisecond') WHERE tenant_name = ${tenant} AND due_at IS NOT NULL`;
const breakerRunsOut = (tenant: string) =>
  prisma.$executeRaw`UPDATE breaker SET open_until = now() - interval '1 second' WHERE tenant_name = ${tenant}`;

describe('a breaker that has run out', () => {
  test('lets one document through until that has answered, not one in every round', async () => {
    await scene('probe', 20);
    const breakers = createBreakerStore(db);
    for (let number = 0; number < 5; number++) await breakers.failed('probe', 'erp', 'down');
    expect(await take('probe')).toEqual([]);
    await breakerRunsOut('probe');
    let probes = 0;
    for (let round = 0; round < 10; round++) probes += (await take('probe')).length;
    expect(probes).toBe(1);
    await breakers.succeeded('probe', 'erp');
    expect((await take('probe')).length, 'the rest follows when it worked').toBe(8);
  });

  test('lets the next one through at once when its probe never got as far as asking', async () => {
    const { tenant, stage, service, ledger } = await scene('deferred-probe', 20);
    const erp = {
      ...tenant.erp,
      post: (prepared: { key: string; request: string }) => Promise.resolve(ledger.take(prepared)),
    };
    for (const document of service.documents.values()) document.status = 'Draft';
    const breakers = createBreakerStore(db);
    for (let number = 0; number < 5; number++) await breakers.failed('deferred-probe', 'erp', 'down');
    await breakerRunsOut('deferred-probe');
    for (let round = 0; round < 19; round++) {
      const probes = await take('deferred-probe');
      expect(probes).toHaveLength(1);
      for (const probe of probes) await advanceClaimed(stage, tenant, probe);
    }
    for (const document of service.documents.values()) document.status = 'Sent';
    for (const claim of await take('deferred-probe')) await advanceClaimed(stage, { ...tenant, erp }, claim);
    const side = { where: { tenantName: 'deferred-probe', side: 'erp' } };
    expect(await prisma.breaker.findFirst(side)).toMatchObject({ state: 'closed', probeId: null });
  });

  test('lets the others have their turn although one document never works', async () => {
    const { tenant, stage, ledger, row, states } = await scene('poison', 10);
    const { id: poison, key } = await row('d1');
    const erp = {
      ...tenant.erp,
      post: (prepared: { key: string; request: string }) =>
        Promise.resolve(
          prepared.key === key
            ? ({ outcome: 'transient', message: 'the customer is locked' } as const)
            : ledger.take(prepared),
        ),
    };
    for (let number = 0; number < 5; number++) {
      await waited('poison');
      await advancePosting(stage, { ...tenant, erp }, poison, 'me');
    }
    const open = await prisma.breaker.findFirst({ where: { tenantName: 'poison', side: 'erp' } });
    expect(open).toMatchObject({ state: 'open' });
    for (let probe = 0; probe < 30; probe++) {
      await breakerRunsOut('poison');
      await waited('poison');
      for (const claim of await take('poison')) await advanceClaimed(stage, { ...tenant, erp }, claim);
    }
    expect(await states()).toEqual({ acknowledged: 9, mapped: 1 });
  });
});

describe('a document', () => {
  test('that the ERP cannot take for the moment, again and again, is asked for ever more seldom', async () => {
    const { tenant, stage, row } = await scene('busy', 1);
    const { id } = await row('d1');
    const erp = {
      ...tenant.erp,
      post: () => Promise.resolve({ outcome: 'transient', message: 'busy' } as const),
    };
    const waits: number[] = [];
    for (let number = 0; number < 8; number++) {
      await waited('busy');
      await advancePosting(stage, { ...tenant, erp }, id, 'me');
      const { dueAt, tries } = await row('d1');
      waits.push((dueAt?.getTime() ?? 0) - Date.now());
      expect(tries, 'an outage uses up no try').toBe(0);
    }
    expect(waits[0]).toBeLessThan(12_000);
    expect(waits.at(-1)).toBeGreaterThan(4 * 60_000);
    expect(waits.at(-1)).toBeLessThan(6 * 60_000);
  });

  test('that takes longer than its lease, every time, is shown to a person in the end', async () => {
    const { tenant, stage, row } = await scene('endless', 1);
    const { id } = await row('d1');
    const timing = { leaseMs: 60, sendByMs: 10, erpTimeoutMs: 20, networkDelayMaxMs: 10 };
    const source = {
      ...tenant.source,
      get: async (...asked: Parameters<typeof tenant.source.get>) => {
        await sleep(120);
        return tenant.source.get(...asked);
      },
    };
    for (let number = 0; number <= TRIES_MAX + 1; number++)
      await advancePosting({ ...stage, timing }, { ...tenant, source }, id, 'me');
    expect(await row('d1')).toMatchObject({ state: 'parked', reason: 'TRIES_EXHAUSTED' });
    expect((await row('d1')).reasonParams).toContain('WORK_NEVER_ENDS');
  });

  test('that was woken ten times is worked on once: its wait is not over for the other nine', async () => {
    const { tenant, stage, row } = await scene('woken', 1, 'unique-reference');
    const { id } = await row('d1');
    const erp = {
      ...tenant.erp,
      post: () => Promise.resolve({ outcome: 'unknown', message: 'timed out' } as const),
    };
    for (let wakeUp = 0; wakeUp < 10; wakeUp++) await advancePosting(stage, { ...tenant, erp }, id, 'me');
    expect(await row('d1')).toMatchObject({ state: 'posting', tries: 1 });
  });

  test('whose lost answer leads to another send has used up one try for it, not two', async () => {
    const { tenant, stage, row } = await scene('resent', 1, 'unique-reference');
    const { id } = await row('d1');
    const erp = {
      ...tenant.erp,
      post: () => Promise.resolve({ outcome: 'unknown', message: 'timed out' } as const),
    };
    for (let send = 0; send < 3; send++) {
      await waited('resent');
      await advancePosting(stage, { ...tenant, erp }, id, 'me');
    }
    expect(await row('d1')).toMatchObject({ state: 'posting', tries: 3 });
  });

  test.each(['transient', 'auth'] as const)(
    'that is in doubt when the ERP goes down (%s) waits for it, and is not parked',
    async (outcome) => {
      const name = `doubt-${outcome}`;
      const { tenant, stage, row } = await scene(name, 1, 'unique-reference');
      const { id } = await row('d1');
      const answering = (answer: 'unknown' | 'transient' | 'auth') => ({
        ...tenant,
        erp: { ...tenant.erp, post: () => Promise.resolve({ outcome: answer, message: 'down' }) },
      });
      await advancePosting(stage, answering('unknown'), id, 'me');
      for (let send = 0; send < 12; send++) {
        await waited(name);
        await advancePosting(stage, answering(outcome), id, 'me');
      }
      const inDoubt = await row('d1');
      expect(inDoubt).toMatchObject({ state: 'posting', tries: 1 });
      expect((inDoubt.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 60_000);
    },
  );

  test('that is refused when it is sent again is not surely absent while the first request may still arrive', async () => {
    const { tenant, stage, row, ledger } = await scene('late', 1, 'unique-reference');
    const { id } = await row('d1');
    const answering = (outcome: PostOutcome) => ({
      ...tenant,
      erp: {
        ...tenant.erp,
        post: (prepared: PreparedPost) => {
          sent = prepared;
          return Promise.resolve(outcome);
        },
        findByKey: (key: string) => Promise.resolve(shown(ledger, key)),
      },
    });
    let sent: PreparedPost | null = null;
    const refused = { outcome: 'rejected', code: 'invalid', message: 'not ready' } as const;
    await advancePosting(stage, answering({ outcome: 'unknown', message: 'timed out' }), id, 'me');
    await waited('late');
    await advancePosting(stage, answering(refused), id, 'me');
    expect(await row('d1')).toMatchObject({ state: 'posting' });
    ledger.take(sent!);
    await waited('late');
    await advancePosting(
      stage,
      answering({ outcome: 'rejected', code: 'duplicate', message: 'exists' }),
      id,
      'me',
    );
    expect(await row('d1')).toMatchObject({ state: 'acknowledged' });
  });

  test.each([
    ['stands in the books is taken up', 'stands', TRIES_MAX, 'acknowledged', 1],
    ['does not stand there is left to a person', 'absent', TRIES_MAX, 'parked', 1],
    ['stands there, when the process ended with the first looks', 'slow', TRIES_MAX + 2, 'acknowledged', 1],
    ['ends its process at every look is left to a person', 'deadly', TRIES_MAX + 3, 'parked', 0],
  ] as const)(
    'that has used up its tries is looked up before a person is asked: what %s',
    async (_title, name, tries, state, looks) => {
      const { tenant, stage, row, ledger } = await scene(name, 1, 'unique-reference');
      const { id } = await row('d1');
      let asked = 0;
      const erp = {
        ...tenant.erp,
        post: (prepared: PreparedPost) => {
          if (name !== 'absent') ledger.take(prepared);
          return Promise.resolve({ outcome: 'unknown', message: 'timed out' } as const);
        },
        findByKey: (key: string) => {
          asked++;
          return Promise.resolve(shown(ledger, key));
        },
      };
      await advancePosting(stage, { ...tenant, erp }, id, 'me');
      await prisma.posting.update({ where: { id }, data: { tries } });
      await waited(name);
      await advancePosting(stage, { ...tenant, erp }, id, 'me');
      expect(await row('d1')).toMatchObject({ state });
      expect(asked).toBe(looks);
    },
  );

  test.each(['native-key', 'unique-reference'] as const)(
    'that eight processes ended with, one after the other, is taken up by the next and needs no person: %s',
    async (kind) => {
      const { tenant, stage, row, ledger } = await scene(`deaths-${kind}`, 1, kind);
      const { id } = await row('d1');
      const findByKey = (key: string) => Promise.resolve(shown(ledger, key));
      let sent = 0;
      for (let death = 1; death <= TRIES_MAX; death++) {
        const left = new EventEmitter();
        const post = (prepared: PreparedPost) => {
          ledger.take(prepared);
          sent++;
          left.emit('sent');
          // Nobody lives to hear the answer.
          return new Promise<never>(() => undefined);
        };
        const erp = { ...tenant.erp, post, findByKey };
        await Promise.race([once(left, 'sent'), advancePosting(stage, { ...tenant, erp }, id, 'me')]);
        await prisma.posting.update({ where: { id }, data: { leaseUntil: new Date(0) } });
      }
      await waited(`deaths-${kind}`);
      await advancePosting(stage, { ...tenant, erp: { ...tenant.erp, findByKey } }, id, 'me');
      expect(await row('d1')).toMatchObject({ state: 'acknowledged' });
      expect(sent).toBe(TRIES_MAX);
      expect(ledger.entries).toHaveLength(1);
    },
  );

  test('that was found after its answer was lost is matched with its invoice, and one whose answer came is not asked about', async () => {
    const { tenant, stage, row, ledger } = await scene('matched', 2, 'unique-reference');
    const matched: string[] = [];
    const answering = (outcome: PostOutcome) => ({
      ...tenant,
      erp: {
        ...tenant.erp,
        post: (prepared: PreparedPost) => {
          if (outcome.outcome !== 'rejected') ledger.take(prepared);
          return Promise.resolve(outcome);
        },
        findByKey: (key: string) => Promise.resolve(shown(ledger, key)),
        match: ({ key }: ErpEntry) => Promise.resolve(void matched.push(key)),
      },
    });
    const [lost, answered] = [await row('d1'), await row('d2')];
    const taken = { outcome: 'rejected', code: 'duplicate', message: 'exists' } as const;
    await advancePosting(stage, answering({ outcome: 'unknown', message: 'timed out' }), lost.id, 'me');
    expect(matched).toEqual([]);
    await waited('matched');
    await advancePosting(stage, answering(taken), lost.id, 'me');
    await advancePosting(stage, answering({ outcome: 'posted', reference: { id: '2' } }), answered.id, 'me');
    expect([await row('d1'), await row('d2')].map(({ state }) => state)).toEqual([
      'acknowledged',
      'acknowledged',
    ]);
    expect(matched).toEqual([lost.key]);
  });

  test('that the ERP did not set against its invoice is booked all the same, and a person is told once, whoever found it', async () => {
    const { tenant, stage, row, ledger } = await scene('unmatched', 2, 'unique-reference');
    const unmatched = { message: 'the invoice is locked' };
    const answering = (outcome: PostOutcome) => ({
      ...tenant,
      erp: {
        ...tenant.erp,
        post: (prepared: PreparedPost) => {
          if (outcome.outcome !== 'rejected') ledger.take(prepared);
          return Promise.resolve(outcome);
        },
        findByKey: (key: string) => Promise.resolve(shown(ledger, key)),
        match: () => Promise.resolve(unmatched),
      },
    });
    const [lost, answered] = [await row('d1'), await row('d2')];
    await advancePosting(stage, answering({ outcome: 'unknown', message: 'timed out' }), lost.id, 'me');
    await waited('unmatched');
    const taken = { outcome: 'rejected', code: 'duplicate', message: 'exists' } as const;
    await advancePosting(stage, answering(taken), lost.id, 'me');
    const posted = { outcome: 'posted', reference: { id: '2' }, unmatched } as const;
    await advancePosting(stage, answering(posted), answered.id, 'me');
    expect([await row('d1'), await row('d2')].map(({ state }) => state)).toEqual([
      'acknowledged',
      'acknowledged',
    ]);
    const told = await prisma.incident.findMany({ where: { tenantName: 'unmatched' } });
    expect(told.map(({ code, severity, state }) => [code, severity, state])).toEqual([
      ['NOT_MATCHED', 'warning', 'open'],
      ['NOT_MATCHED', 'warning', 'open'],
    ]);
    expect(told.every(({ details }) => details.includes('the invoice is locked'))).toBe(true);
  });

  test('goes with its original to an ERP that takes files with the document alone, and waits for a source that is away', async () => {
    const { tenant, stage, row, ledger } = await scene('with-files', 1, 'unique-reference');
    const { id } = await row('d1');
    const content = Buffer.from('%PDF-1.7');
    const sent: PreparedPost[] = [];
    const from = (originals: typeof tenant.source.originals) => ({
      ...tenant,
      source: { ...tenant.source, originals },
      erp: {
        ...tenant.erp,
        capabilities: { ...tenant.erp.capabilities, filesWithPost: true },
        post: (prepared: PreparedPost) => {
          sent.push(prepared);
          ledger.take(prepared);
          return Promise.resolve({ outcome: 'posted', reference: { id: 'e1' } } as const);
        },
        findByKey: (key: string) => Promise.resolve(shown(ledger, key)),
      },
    });
    const away = () => Promise.reject(new CodedError('SOURCE_UNAVAILABLE', 'away'));
    await advancePosting(stage, from(away), id, 'me');
    expect(sent).toEqual([]);
    expect(await prisma.attempt.count({ where: { postingId: id } })).toBe(0);
    await waited('with-files');
    await breakerRunsOut('with-files');
    const files = [{ role: 'pdf', fileName: 'x.pdf', content }] as const;
    await advancePosting(
      stage,
      from(() => Promise.resolve({ outcome: 'found', files })),
      id,
      'me',
    );
    expect(sent[0]?.files).toMatchObject([{ contentType: 'application/pdf', content }]);
    expect(await row('d1')).toMatchObject({ state: 'acknowledged' });
  });

  test('whose draft the ERP refuses to post is not tried again in the same breath, and a replay goes on from the draft', async () => {
    const { tenant, stage, row, ledger } = await scene('draft', 1, 'look-up-two-step');
    const { id } = await row('d1');
    let asked = 0;
    const erp = {
      ...tenant.erp,
      post: (prepared: PreparedPost) => {
        ledger.take(prepared);
        return Promise.resolve({ outcome: 'posted', reference: { id: 'e1' } } as const);
      },
      findByKey: (key: string) => Promise.resolve(shown(ledger, key)),
      resume: (draft: ErpEntry) => {
        const closed = { outcome: 'rejected', code: 'closed-period', message: 'closed' } as const;
        if (asked++ === 0) return Promise.resolve(closed);
        for (const entry of ledger.entries) entry.state = 'posted';
        return Promise.resolve({ outcome: 'posted', reference: draft.reference } as const);
      },
    };
    await advancePosting(stage, { ...tenant, erp }, id, 'me');
    expect(await row('d1')).toMatchObject({ state: 'parked', reason: 'ERP_REFUSED' });
    expect(asked).toBe(1);
    const [facts] = await readReplayFacts(db, [id]);
    expect(replayVerdict(facts!, { surelyAbsent: false })).toEqual({ eligible: true, to: 'posting' });
    await prisma.posting.update({ where: { id }, data: { state: 'posting', dueAt: new Date(0) } });
    await advancePosting(stage, { ...tenant, erp }, id, 'me');
    expect(await row('d1')).toMatchObject({ state: 'acknowledged', erpReference: '{"id":"e1"}' });
    expect(ledger.entries).toHaveLength(1);
  });

  test('that is in the books waits for a source whose updates alone are down, and is not parked', async () => {
    const { tenant, stage, ledger, row } = await scene('write-outage', 1);
    const { id } = await row('d1');
    const erp = {
      ...tenant.erp,
      post: (prepared: { key: string; request: string }) => Promise.resolve(ledger.take(prepared)),
    };
    const down = () => Promise.reject(new CodedError('SOURCE_UNREACHABLE', '503'));
    const source = { ...tenant.source, updateStatus: down };
    for (let number = 0; number < 12; number++) {
      await waited('write-outage');
      await advancePosting(stage, { ...tenant, source, erp }, id, 'me');
    }
    expect(await row('d1')).toMatchObject({ state: 'writing_back', tries: 0 });
    await waited('write-outage');
    await advancePosting(stage, { ...tenant, erp }, id, 'me');
    expect((await row('d1')).state).toBe('acknowledged');
  });
});

describe('a document that the source cannot show any more', () => {
  const answering = (
    { tenant, ledger }: Awaited<ReturnType<typeof scene>>,
    get: typeof tenant.source.get,
  ): typeof tenant => ({
    ...tenant,
    source: { ...tenant.source, get },
    erp: {
      ...tenant.erp,
      post: (prepared: PreparedPost) => Promise.resolve(ledger.take(prepared)),
      findByKey: (key: string) => Promise.resolve(shown(ledger, key)),
    },
  });
  /** Until it needs a person, or has been looked at more often than that can take. */
  const untilItRests = async (name: string, look: () => Promise<unknown>) => {
    const waits: number[] = [];
    for (let number = 0; number < TRIES_MAX + 4; number++) {
      await waited(name);
      await look();
      const { dueAt } = await prisma.posting.findFirstOrThrow({ where: { tenantName: name } });
      if (dueAt === null) break;
      waits.push(dueAt.getTime() - Date.now());
    }
    return waits;
  };
  const openIncidents = async (tenantName: string) => {
    const found = await prisma.incident.findMany({ where: { tenantName, state: 'open' } });
    return found.map(({ code, severity }) => [code, severity]);
  };
  const UNREADABLE = { outcome: 'unreadable', problem: 'amount is no number', snapshot: '{}' } as const;

  test.each([
    ['in a form that can be read', 'garbled', () => Promise.resolve(UNREADABLE), 'SOURCE_UNREADABLE'],
    [
      'without an error that no wait cures',
      'oversized',
      () => Promise.reject(new CodedError('SOURCE_TOO_LARGE', 'the record is too large')),
      'TRIES_EXHAUSTED',
    ],
  ] as const)(
    '%s after it was booked is asked for ever more seldom, then shown to a person, and goes on when it is replayed',
    async (_title, name, broken, code) => {
      const bed = await scene(name, 1);
      const { id } = await bed.row('d1');
      const { get } = bed.tenant.source;
      let reads = 0;
      const tenant = answering(bed, (...asked) => (reads++ === 0 ? get(...asked) : broken()));
      const waits = await untilItRests(name, () => advancePosting(bed.stage, tenant, id, 'me'));
      expect(waits).toHaveLength(TRIES_MAX);
      expect(waits.at(-1)).toBeGreaterThan(5 * 60 * 60_000);
      expect(await bed.row('d1')).toMatchObject({ state: 'parked', reason: code });
      expect(await openIncidents(name)).toEqual([[code, 'critical']]);
      const [facts] = await readReplayFacts(database.db, [id]);
      expect(replayVerdict(facts!, { surelyAbsent: false })).toEqual({ eligible: true, to: 'posted' });
      await prisma.posting.update({ where: { id }, data: { state: 'posted', tries: 0, dueAt: new Date(0) } });
      await advancePosting(bed.stage, answering(bed, get), id, 'me');
      expect(await bed.row('d1')).toMatchObject({ state: 'acknowledged' });
      expect(bed.service.documents.get('d1')?.accountingStatus).toBe('Posted');
      expect(await openIncidents(name)).toEqual([]);
      expect(bed.ledger.entries).toHaveLength(1);
    },
  );

  test('in a form that can be read after its status was sent is shown to a person in the end', async () => {
    const bed = await scene('garbled-late', 1);
    const { id } = await bed.row('d1');
    const { get } = bed.tenant.source;
    let reads = 0;
    const tenant = answering(bed, (...asked) => (reads++ < 2 ? get(...asked) : Promise.resolve(UNREADABLE)));
    await untilItRests('garbled-late', () => advancePosting(bed.stage, tenant, id, 'me'));
    expect(await bed.row('d1')).toMatchObject({ state: 'parked', reason: 'SOURCE_UNREADABLE' });
    expect(await openIncidents('garbled-late')).toEqual([['SOURCE_UNREADABLE', 'critical']]);
  });

  test('in a form that can be read after it was skipped stays skipped, and a person hears that the source was not told', async () => {
    const bed = await scene('garbled-skip', 1);
    Object.assign(bed.service.documents.get('d1')!, { amount: 0, net: 0, amounts: [0] });
    const { id } = await bed.row('d1');
    const { get } = bed.tenant.source;
    let reads = 0;
    const tenant = answering(bed, (...asked) =>
      reads++ === 0 ? get(...asked) : Promise.resolve(UNREADABLE),
    );
    const waits = await untilItRests('garbled-skip', () => advancePosting(bed.stage, tenant, id, 'me'));
    expect(waits.length).toBeLessThanOrEqual(TRIES_MAX + 1);
    expect((await bed.row('d1')).state).toBe('skipped');
    expect(await openIncidents('garbled-skip')).toEqual([['SOURCE_UNREADABLE', 'warning']]);
    const [facts] = await readReplayFacts(database.db, [id]);
    expect(replayVerdict(facts!, { surelyAbsent: false })).toEqual({ eligible: true, to: 'discovered' });
  });
});

describe('a document whose booking the database refuses each time', () => {
  const REFUSED = 'the database does not keep this number';
  /** The entry has a number that a constraint of the database forbids. */
  async function refusing(name: string, erpKind: ErpKind) {
    const bed = await scene(name, 1, erpKind);
    const { id } = await bed.row('d1');
    const number = `unstorable-${name}`;
    await prisma.$executeRawUnsafe(
      `ALTER TABLE posting ADD CONSTRAINT "${REFUSED}" CHECK (erp_number IS DISTINCT FROM '${number}') NOT VALID`,
    );
    let sent = 0;
    const erp = {
      ...bed.tenant.erp,
      post: (prepared: PreparedPost) => {
        if (sent++ === 0) bed.ledger.take(prepared);
        const reference = { id: 'e1', number };
        return Promise.resolve({ outcome: 'posted', reference } as const);
      },
      findByKey: (key: string) => {
        const found = shown(bed.ledger, key);
        if (found.outcome !== 'one') return Promise.resolve(found);
        const entry = { ...found.entry, reference: { id: 'e1', number } };
        return Promise.resolve({ outcome: 'one', entry } as const);
      },
    };
    const tenant = { ...bed.tenant, erp };
    const look = async (at = tenant) => {
      await waited(name);
      // What was sent has arrived long ago, and whoever had the document died.
      await prisma.attempt.updateMany({
        where: { postingId: id },
        data: { startedAt: new Date(0), lastSentAt: new Date(0) },
      });
      await prisma.posting.update({ where: { id }, data: { leaseUntil: new Date(0) } });
      return advancePosting(bed.stage, at, id, 'me').catch(() => 'busy');
    };
    return { bed, id, tenant, look, sent: () => sent };
  }
  const keepItAfterAll = () => prisma.$executeRawUnsafe(`ALTER TABLE posting DROP CONSTRAINT "${REFUSED}"`);

  test.each(['look-up', 'unique-reference'] as const)(
    'is parked as uncertain with what the database said, was sent once, and is taken up when it is replayed: %s',
    async (kind) => {
      const name = `refused-${kind}`;
      const { bed, id, look, sent } = await refusing(name, kind);
      try {
        for (let number = 0; number < TRIES_MAX + 4; number++) await look();
        const row = await bed.row('d1');
        expect(row).toMatchObject({ state: 'parked', reason: 'OUTCOME_UNKNOWN', dueAt: null });
        expect(row.reasonParams).toContain(REFUSED);
        expect(bed.ledger.entries).toHaveLength(1);
        if (kind === 'look-up') expect(sent()).toBe(1);
        const [facts] = await readReplayFacts(database.db, [id]);
        expect(replayVerdict(facts!, { surelyAbsent: false })).toEqual({ eligible: true, to: 'posting' });
      } finally {
        await keepItAfterAll();
      }
      await prisma.posting.update({
        where: { id },
        data: { state: 'posting', tries: 0, dueAt: new Date(0) },
      });
      await look();
      expect(await bed.row('d1')).toMatchObject({ state: 'acknowledged' });
      expect(bed.ledger.entries).toHaveLength(1);
    },
  );

  test('is parked also when the source cannot show it any more', async () => {
    const { bed, tenant, look } = await refusing('refused-garbled', 'look-up');
    const { get } = tenant.source;
    let reads = 0;
    const source = {
      ...tenant.source,
      get: (...asked: Parameters<typeof get>) =>
        reads++ === 0 ? get(...asked) : Promise.reject(new CodedError('SOURCE_TOO_LARGE', 'too large')),
    };
    try {
      for (let number = 0; number < TRIES_MAX + 4; number++) await look({ ...tenant, source });
      expect(await bed.row('d1')).toMatchObject({ state: 'parked', reason: 'OUTCOME_UNKNOWN' });
    } finally {
      await keepItAfterAll();
    }
  });
});

test('a credit note that looked while its invoice was being booked looks again within seconds, then ever more seldom', async () => {
  const bed = await pipelineBed(database, 'credit');
  const post = (prepared: PreparedPost) => Promise.resolve(bed.ledger.take(prepared));
  const tenant = { ...bed.tenant, erp: { ...bed.tenant.erp, post } };
  bed.handOver('sold', { issueDate: '2026-11-15' });
  bed.handOver('credited', { issueDate: '2026-11-15', amount: -1240, net: -1000, credits: 'sold' });
  await sweep(bed.intake, bed.tenant, 'invoice', '2026-01-01');
  const note = await bed.row('credited');
  const invoice = await bed.row('sold');
  // The invoice arrives between what the credit note read and what it put on record: nobody is left to wake it.
  const { get } = bed.tenant.source;
  const source: typeof bed.tenant.source = {
    ...bed.tenant.source,
    get: async (kind, guid) => {
      const read = await get(kind, guid);
      if (guid === 'sold') await advancePosting(bed.stage, tenant, invoice.id, 'another');
      return read;
    },
  };
  await advancePosting(bed.stage, { ...tenant, source }, note.id, 'me');
  expect(await bed.row('sold')).toMatchObject({ state: 'acknowledged' });
  const waiting = await bed.row('credited');
  expect(waiting).toMatchObject({ state: 'deferred', reason: 'WAIT_FOR_ORIGINAL' });
  expect(Number(waiting.dueAt) - Date.now()).toBeLessThan(20_000);
  await prisma.$executeRaw`UPDATE posting SET due_at = now() - interval '1 millisecond', discovered_at = now() - interval '9 minutes' WHERE id = ${note.id}::uuid`;
  Object.assign(bed.service.documents.get('sold') ?? {}, { accountingStatus: 'Error' });
  await advancePosting(bed.stage, tenant, note.id, 'me');
  expect(Number((await bed.row('credited')).dueAt) - Date.now()).toBeGreaterThan(5 * 60_000);
  Object.assign(bed.service.documents.get('sold') ?? {}, { accountingStatus: 'Posted' });
  await waited('credit');
  await advancePosting(bed.stage, tenant, note.id, 'me');
  expect(await bed.row('credited')).toMatchObject({ state: 'acknowledged' });
});
