// A whole bridge whose originals are in a bucket, with one invoice that is older than the law asks to keep; and the world of a person
// who types commands beside it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../../../src/domain/secret.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { httpErp } from '../../support/http-erp.js';
import { S3_BUCKET, S3_KEYS, S3_REGION, type S3Server, startS3Server } from '../../support/s3-server.js';
import type { World } from '../../unit/cli/run-cli.js';

export const OLD_DAY = '2017-05-11';

export interface BucketBed {
  readonly bed: Bed;
  readonly bucket: S3Server;
  readonly world: World;
  /** Until so many invoices have their PDF, and nothing is on its way. */
  carried(pdfs: number): Promise<void>;
  close(): Promise<void>;
}

export async function bucketBed(): Promise<BucketBed> {
  const [erp, bucket] = await Promise.all([httpErp(), startS3Server()]);
  const originalsS3 = {
    ...{ endpoint: bucket.url, region: S3_REGION, bucket: S3_BUCKET, prefix: 'prufa' },
    ...{ keyId: S3_KEYS.keyId, secret: new Secret(S3_KEYS.secret) },
  };
  const bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 3, costs: 2, seed: 'bucket', difficulty: 'tidy' }],
    tenants: [
      {
        ...{ name: 'hraun', account: 'hraun', erp: erp.erp() },
        more: { originals: { perSecond: 100 }, cutOver: '2010-01-01' },
      },
    ],
    ...{ env: erp.env, originalsS3 },
  });
  bed.sandbox.control.issueInvoice('hraun', { issueDate: OLD_DAY } as never);
  await bed.bridge.tenants.requestSweep('hraun');
  await bed.settled();
  const { prisma } = bed.database;
  const carried = async (pdfs: number) => {
    for (let look = 0; look < 300; look++) {
      // In one statement: those of a document may be written between two.
      const [row] = await prisma.$queryRaw<[{ pdfs: number; open: number; without: number }]>`
        SELECT count(*) FILTER (WHERE role = 'pdf')::int AS pdfs, count(due_at)::int AS open,
          (SELECT count(*) FROM posting p WHERE NOT EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id))::int AS without
        FROM original`;
      if (row.pdfs === pdfs && row.open === 0 && row.without === 0) return;
      await sleep(100);
    }
    throw new Error('originals are still on their way');
  };
  await carried(4);
  const env = {
    ...{ ...erp.env, USER: 'sigga', LEDGERBRIDGE_CONFIG: bed.settings.configDirectory },
    ...{ LEDGERBRIDGE_DATA: bed.settings.dataDirectory, DATABASE_URL: bed.database.url.reveal() },
    ...{ SANDBOX_CODE: bed.sandbox.maintCode, KEY_hraun: bed.sandbox.accounts[0]!.apiKey },
    ...{ LEDGERBRIDGE_ORIGINALS: `s3://${S3_BUCKET}/prufa`, LEDGERBRIDGE_S3_ENDPOINT: bucket.url },
    ...{ LEDGERBRIDGE_S3_REGION: S3_REGION, LEDGERBRIDGE_S3_KEY_ID: S3_KEYS.keyId },
    LEDGERBRIDGE_S3_SECRET: S3_KEYS.secret,
  };
  return {
    ...{ bed, bucket, carried, world: { cwd: bed.directory, env } },
    close: async () => {
      await bed.close();
      await erp.ledger.close();
      await bucket.close();
    },
  };
}
