import { expect, it } from 'vitest';
import type { OperationsDeps } from '../../../src/operations/deps.js';
import { cureText } from '../../../src/language/say.js';
import { previewReplay, startReplay } from '../../../src/operations/replay.js';
import type { ReplayFacts } from '../../../src/operations/replay-verdict.js';

const UNCERTAIN = { postingId: 'p', tenantName: 'hraun', state: 'parked', attemptUncertain: true };

function preview(capabilities: { lookUp: string; idempotency: string } | null, surelyAbsent = false) {
  const deps = {
    records: {
      select: () => Promise.resolve(['p']),
      replayFacts: () => Promise.resolve([{ ...UNCERTAIN, lastSendAgeMs: null } as unknown as ReplayFacts]),
    },
    connections: {
      get: () =>
        capabilities === null
          ? Promise.reject(new Error('down'))
          : Promise.resolve({ erp: { capabilities } }),
    },
    language: 'en',
  } as unknown as OperationsDeps;
  return previewReplay(deps, { postingIds: ['p'] }, { surelyAbsent });
}

it('the cure for an unknown outcome names the replay that does not park it again', () => {
  expect(cureText('en', 'OUTCOME_UNKNOWN')).toContain('--surely-absent');
});

it('a preview promises no look-up in an ERP that has none, and names what moves the document', async () => {
  const { groups } = await preview({ lookUp: 'none', idempotency: 'none' });
  expect(groups).toMatchObject([{ sentence: expect.stringContaining('parked again') as unknown }]);
  expect(groups[0]!.sentence).toContain('--surely-absent');
});

it.each([
  [{ lookUp: 'posted', idempotency: 'none' }],
  [{ lookUp: 'none', idempotency: 'unique-reference' }],
  [null],
])('a preview with %j says that the bridge finds out', async (capabilities) => {
  const { groups } = await preview(capabilities);
  expect(groups).toMatchObject([
    { sentence: 'The bridge finds out whether the ERP has it, and goes on from there.' },
  ]);
});

it('what is surely not there is posted anew, whatever the ERP can tell', async () => {
  const { groups } = await preview({ lookUp: 'none', idempotency: 'none' }, true);
  expect(groups).toMatchObject([{ sentence: 'It is read, mapped and posted anew, under the same key.' }]);
});

it.each([0, 5_000, 1.5, Number.NaN])(
  'a pace of %d is refused, not bent to one that fits',
  async (perSecond) => {
    const none = {} as unknown as OperationsDeps;
    const refused = { code: 'QUERY_INVALID' };
    await expect(previewReplay(none, { postingIds: ['p'] }, { perSecond })).rejects.toMatchObject(refused);
    const act = { actor: 'Jón', reason: 'a test' };
    await expect(startReplay(none, { postingIds: ['p'] }, act, { perSecond })).rejects.toMatchObject(refused);
  },
);
