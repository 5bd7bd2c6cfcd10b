// BullMQ, which the bridge uses to wake, here as the queue of the documents themselves.
import { Queue, Worker } from 'bullmq';
import type { Listed } from './bare-loop.js';
import type { Work } from './peer.js';

export const withBullmq: Work = async ({ redisUrl, inFlight }, documents, carry) => {
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue<Listed>('carry', { connection });
  await queue.addBulk(documents.map((data) => ({ name: 'carry', data, opts: { removeOnComplete: true } })));
  await new Promise<void>((resolve, reject) => {
    let left = documents.length;
    const worker = new Worker<Listed>('carry', ({ data }) => carry(data), {
      connection,
      concurrency: inFlight,
    });
    worker.on('completed', () => {
      if (--left === 0) worker.close().then(resolve, reject);
    });
    worker.on('failed', (_job, error) => reject(error));
    worker.on('error', reject);
  });
  await queue.close();
};
