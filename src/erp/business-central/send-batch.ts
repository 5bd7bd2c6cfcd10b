// Many small requests in one of `$batch`, all or nothing, in as many pieces as its limit asks for.
import type * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import { writeWireJson } from '../../http/wire-json.js';
import type { Answer } from '../answer.js';
import { told } from '../told.js';
import { BATCH_OPERATIONS_MAX } from './assumptions.js';
import type { BcClient } from './client.js';
import { errorIn, judge } from './dispositions.js';
import { bcBatchReply } from './wire.js';

export interface InnerRequest {
  /** Below the company. */
  readonly path: string;
  readonly body: unknown;
}

/** What each of them made, in their order. */
export async function sendBatch<T>(
  { client, clock }: { readonly client: BcClient; readonly clock: Clock },
  requests: readonly InnerRequest[],
  item: z.ZodType<T>,
): Promise<Answer<T[]>> {
  const made: T[] = [];
  const inner = requests.map(({ path, body }) => ({
    method: 'POST',
    url: client.below(path),
    headers: { 'Content-Type': 'application/json' },
    body,
  }));
  for (let start = 0; start < inner.length; start += BATCH_OPERATIONS_MAX) {
    const chunk = inner.slice(start, start + BATCH_OPERATIONS_MAX);
    const answer = await client.batch(chunk, bcBatchReply);
    if (answer.outcome !== 'ok') return answer;
    const refused = answer.value.responses.find((response) => errorIn(response.body));
    if (refused) {
      const body = Buffer.from(writeWireJson(refused.body));
      return judge({ status: refused.status, headers: {}, body }, 'write', clock.now());
    }
    const parsed = answer.value.responses.map(({ body }) => item.safeParse(body));
    if (parsed.length !== chunk.length || parsed.some(({ success }) => !success))
      return { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Business Central' }) };
    made.push(...parsed.flatMap(({ data }) => (data === undefined ? [] : [data])));
  }
  return { outcome: 'ok', value: made };
}
