// NDJSON in, NDJSON out, in the same order, one line for each line: nothing is kept, so that a batch of any size takes the
// same memory. A line that cannot be read is an outcome of its own and does not end the batch.
import { mapMalformed } from '../pipeline/mapping/map-document.js';
import { mapRecord, plainOutcome, RuleLayers } from '../pipeline/mapping/map-record.js';
import type { TenantRules } from '../pipeline/mapping/rules.js';
import type { CliIo } from './command.js';
import { idOf, openInput, parseJson } from './map-input.js';

const LINE_CHARACTERS_MAX = 64 * 1024 * 1024;
const WRITE_CHARACTERS = 64 * 1024;

export async function mapBatch(
  file: string,
  rules: TenantRules,
  { explain }: { readonly explain: boolean },
  io: CliIo,
): Promise<void> {
  const layers = new RuleLayers(rules);
  let pending = '';
  try {
    for await (const line of linesOf(openInput(file, io))) {
      if (io.signal.aborted) break;
      if (line?.trim() === '') continue;
      pending += `${JSON.stringify(mapLine(line, layers, explain))}\n`;
      if (pending.length < WRITE_CHARACTERS) continue;
      io.out(pending);
      pending = '';
    }
  } finally {
    if (pending !== '') io.out(pending);
  }
}

function mapLine(line: string | null, layers: RuleLayers, explain: boolean): unknown {
  if (line === null) return plainOutcome(null, mapMalformed('the line is too long'), explain);
  const record = parseJson(line);
  if (record === null) return plainOutcome(null, mapMalformed('the line is not JSON'), explain);
  return plainOutcome(idOf(record), mapRecord(record, layers), explain);
}

/** null stands for a line beyond the limit, of which nothing is kept. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | null> {
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const pieces = chunk.split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      yield isTooLong ? null : rest + piece;
      rest = '';
      isTooLong = false;
    }
    rest = isTooLong ? '' : rest + last;
    if (rest.length > LINE_CHARACTERS_MAX) {
      isTooLong = true;
      rest = '';
    }
  }
  if (isTooLong) yield null;
  else if (rest !== '') yield rest;
}
