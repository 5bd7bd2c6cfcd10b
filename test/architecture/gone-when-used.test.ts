// Nothing of a document stays when it is done: what is read, mapped and sent is gone with the next quick collection of garbage. What is not
// is copied twice and gone through by each full one, which was a tenth of the bridge's time.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { journalFromJson, keptAsJson, noLongerKept } from '../../src/domain/journal-json.js';
import { madeOf } from '../../src/domain/made-of.js';
import { toEntry, toRequest, wireEntry } from '../../src/erp/http/translate.js';
import { Found } from '../../src/service/api-source.js';
import { ReadBefore } from '../../src/service/api-client.js';
import { type JsonObject, parseJson } from '../../src/service/wire-json.js';
import { cost as costShape, invoice as invoiceShape } from '../../src/service/wire-shapes.js';
import { decodeContext } from '../../src/pipeline/mapping/context.js';
import { mapDocument } from '../../src/pipeline/mapping/map-document.js';
import { documentFacts } from '../../src/sync/examine.js';
import { shareGrownOld } from '../support/grows-old.js';
import { cost, invoice, posted, sampleRules } from '../unit/mapping/build.js';

const OLD_MOST = 0.25;
const readBefore = new ReadBefore();

/** As on the way of a document: asked for, decoded, looked at, mapped, sent, shown by the ERP, and asked for again when it was told. */
function goThrough(kind: 'invoice' | 'cost') {
  const raw = kind === 'invoice' ? invoice() : cost();
  const guid = String(raw['guid']);
  const read = (text: string) => readBefore.parse(guid, text, parseJson) as JsonObject;
  const body = read(JSON.stringify(raw));
  const record = kind === 'invoice' ? invoiceShape.read(body) : costShape.read(body);
  if (!record.ok) throw new Error(record.problem);
  const { document } = record.value;
  const facts = documentFacts(new Found(document, body));
  const outcome = posted(mapDocument(document, sampleRules, decodeContext({}, guid)));
  const kept = keptAsJson(outcome.journal);
  const journal = journalFromJson(kept);
  const request = JSON.parse(toRequest('key', journal)) as { lines: object[] };
  const answer = { id: '1', key: 'key', state: 'posted', postingDate: '2025-03-10', lines: request.lines };
  const entry = toEntry(wireEntry.parse(answer));
  noLongerKept(kept);
  const told = read(JSON.stringify({ ...raw, accounting_status: 'Posted' }));
  return { body, document, facts, outcome, journal, entry, told };
}

const KINDS = ['invoice', 'cost'] as const;
const THINGS = ['body', 'document', 'facts', 'outcome', 'journal', 'entry', 'told'] as const;

describe.each(KINDS)('of an %s that is done', (kind) => {
  test.each(THINGS)('nothing holds the %s any more', (thing) => {
    expect(shareGrownOld(() => goThrough(kind)[thing])).toBeLessThan(OLD_MOST);
  });
});

test('nothing holds what a schema made, and with the transform of the library something does', () => {
  const made = madeOf(z.unknown(), (value) => ({ value }));
  const transformed = z.unknown().transform((value) => ({ value }));
  expect(shareGrownOld((time) => made.parse(time))).toBeLessThan(OLD_MOST);
  expect(shareGrownOld((time) => transformed.parse(time))).toBeGreaterThan(1 - OLD_MOST);
});

test('what somebody still holds is seen', () => {
  const held: object[] = [];
  const hold = () => {
    const { document } = goThrough('invoice');
    held.push(document);
    return document;
  };
  expect(shareGrownOld(hold)).toBeGreaterThan(1 - OLD_MOST);
});
