// Records over HTTP, held to what the port promises: the inbox is a real one.
import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { SUBMISSION_KINDS, type SubmissionKind } from '../../../src/domain/submission.js';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import type { OriginBed, OriginTarget } from '../../../src/origins/conformance/target.js';
import { InboxOrigin } from '../../../src/origins/inbox-origin.js';
import { readDelivery } from '../../../src/origins/inbox.js';
import { createDeliveries, createInbox } from '../../../src/store/inbox-store.js';
import { testDatabase } from '../../support/database.js';
import { fieldsOf, referenceOf } from './records.js';

const database = await testDatabase();
afterAll(() => database.close());
const { db } = database;
const deliveries = createDeliveries(db);
let beds = 0;

function httpBed(kind: SubmissionKind): OriginBed {
  const tenantName = `bed-${String(++beds)}`;
  let sent = 0;
  return {
    connect: () => Promise.resolve(new InboxOrigin('shop', createInbox(db, tenantName, 'shop'))),
    put: async (record, version = 1) => {
      const key = `k-${String(++sent)}`;
      const reference = referenceOf(kind, record);
      const body = Buffer.from(JSON.stringify({ kind, reference, ...fieldsOf(kind, record, version) }));
      const read = readDelivery(key, body);
      if ('problem' in read) throw new Error(read.problem);
      const bodyHash = createHash('sha256').update(body).digest('hex');
      const delivery = { tenantName, origin: 'shop', key, bodyHash, record: read, waitingMax: 1_000 };
      const { outcome } = await deliveries.accept(delivery);
      expect(outcome).toBe('accepted');
      return reference;
    },
    putBad: () => Promise.reject(new Error('it is refused at the door')),
    mendBad: () => Promise.reject(new Error('it is refused at the door')),
    ripen: () => Promise.resolve(),
    toldOf: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

const atTheDoor = 'what cannot be read is refused at the door';
const targetOf = (kind: SubmissionKind): OriginTarget => ({
  ...{ name: `http: ${kind}`, kind, holds: [], open: () => Promise.resolve(httpBed(kind)) },
  notApplicable: {
    ...{ 'bad-spoils-none': atTheDoor, 'bad-mended': atTheDoor, 'bad-again-after-crash': atTheDoor },
    files: 'a request brings no file',
  },
});

test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
  for (const kind of SUBMISSION_KINDS) {
    const { result, detail } = await runOriginCase(targetOf(kind), each);
    expect(result, `${kind}: ${detail ?? ''}`).not.toBe('failed');
  }
});
