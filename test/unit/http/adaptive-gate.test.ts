import { describe, expect, it } from 'vitest';
import { AdaptiveGate, type GatePass, type Verdict } from '../../../src/http/adaptive-gate.js';

type Entered = Extract<GatePass, { entered: true }>;

function gateAt(options: ConstructorParameters<typeof AdaptiveGate>[1] = {}) {
  let nowMs = 0;
  const gate = new AdaptiveGate({ now: () => new Date(nowMs) }, options);
  return { gate, pass: (ms: number) => (nowMs += ms) };
}

async function enter(gate: AdaptiveGate): Promise<Entered> {
  const pass = await gate.enter();
  if (!pass.entered) throw new Error(`turned away: ${pass.reason}`);
  return pass;
}

async function rounds(gate: AdaptiveGate, count: number, verdict: Verdict): Promise<void> {
  for (let n = 0; n < count; n++) (await enter(gate)).leave(verdict);
}

describe('the adaptive gate', () => {
  it('grows by one for a full round of good answers and never beyond its maximum', async () => {
    const { gate } = gateAt({ limitFirst: 1, limitMax: 4 });
    await rounds(gate, 1, 'fine');
    expect(gate.limit).toBe(2);
    await rounds(gate, 100, 'fine');
    expect(gate.limit).toBe(4);
  });

  it('halves when the service is strained and never closes altogether', async () => {
    const { gate } = gateAt({ limitFirst: 8 });
    await rounds(gate, 1, 'strained');
    expect(gate.limit).toBe(4);
    await rounds(gate, 20, 'strained');
    expect(gate.limit).toBe(1);
  });

  it('lets in those who wait when its maximum rises, and nobody until there is room when it falls', async () => {
    const { gate } = gateAt({ limitFirst: 4, limitMax: 2 });
    const inside = await Promise.all([enter(gate), enter(gate)]);
    gate.setMax(1);
    const waiting = [enter(gate), enter(gate)];
    let entered = 0;
    for (const one of waiting) void one.then(() => entered++);
    inside[0]?.leave('neutral');
    await Promise.resolve();
    expect(entered).toBe(0);
    gate.setMax(3);
    await Promise.all(waiting);
    expect(entered).toBe(2);
  });

  it('lets nobody in while its maximum is none', async () => {
    const { gate } = gateAt({ limitMax: 0 });
    const entered = gate.enter();
    expect(await Promise.race([entered, Promise.resolve('waits')])).toBe('waits');
    gate.setMax(1);
    expect((await entered).entered).toBe(true);
  });

  it('keeps the rest waiting in order', async () => {
    const { gate } = gateAt({ limitFirst: 1, limitMax: 1 });
    const first = await enter(gate);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (n) => {
      const pass = await enter(gate);
      order.push(n);
      pass.leave('neutral');
    });
    expect(order).toEqual([]);
    first.leave('neutral');
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('turns everybody away while the service asked for a pause, and says for how long', async () => {
    const { gate, pass } = gateAt();
    gate.closeFor(5_000);
    expect(await gate.enter()).toEqual({ entered: false, reason: 'closed', retryAfterMs: 5_000 });
    pass(5_000);
    expect((await gate.enter()).entered).toBe(true);
  });

  it('turns away more callers than it will queue', async () => {
    const { gate } = gateAt({ limitFirst: 1, limitMax: 1, waitingMax: 1 });
    await enter(gate);
    void gate.enter();
    expect(await gate.enter()).toMatchObject({ entered: false, reason: 'crowded' });
  });

  it('forgets a caller who gave up waiting, without losing a place', async () => {
    const { gate } = gateAt({ limitFirst: 1, limitMax: 1 });
    const first = await enter(gate);
    const giveUp = new AbortController();
    const given = gate.enter(giveUp.signal);
    const patient = gate.enter();
    giveUp.abort();
    expect(await given).toMatchObject({ entered: false, reason: 'cancelled' });
    first.leave('neutral');
    expect((await patient).entered).toBe(true);
  });

  it('counts leaving once, however often it is said', async () => {
    const { gate } = gateAt({ limitFirst: 1, limitMax: 1 });
    const first = await enter(gate);
    first.leave('neutral');
    first.leave('neutral');
    await enter(gate);
    const third = gate.enter();
    const settled = await Promise.race([third.then(() => 'entered'), Promise.resolve('waiting')]);
    expect(settled).toBe('waiting');
  });
});
