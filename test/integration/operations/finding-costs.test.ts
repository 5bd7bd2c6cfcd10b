// Costs are found by what people have in their hands: the number that the ledger shows, and the name of the supplier.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DocumentPage } from '../../../src/operations/views/document.js';
import { journalFromJson } from '../../../src/domain/journal-json.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { run, type World } from '../../unit/cli/run-cli.js';

describe('a cost in the books', () => {
  let bed: Bed;
  let world: World;
  let token: string;
  let cost: { id: string; documentNo: string; supplier: string };

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 2, costs: 6, seed: 'finding', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    await bed.settled();
    const rows = await bed.database.prisma.posting.findMany({
      where: { kind: 'cost', state: 'acknowledged' },
    });
    const [found] = rows.flatMap(({ id, journal }) => {
      const { documentNo, party } = journalFromJson(journal!);
      return party && party.name !== '' ? [{ id, documentNo, supplier: party.name }] : [];
    });
    if (!found) throw new Error('no cost of the sandbox names its supplier');
    cost = found;
    const act = { actor: 'test', reason: 'a token for the test' };
    token = (await bed.bridge.operations.createToken({ name: 'of the test', role: 'viewer' }, act)).value;
    world = {
      cwd: bed.directory,
      env: {
        LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
        LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
        DATABASE_URL: bed.database.url.reveal(),
        KEY_hraun: bed.sandbox.accounts[0]!.apiKey,
        SANDBOX_CODE: bed.sandbox.maintCode,
      },
    };
  });
  afterAll(() => bed.close());

  const ids = ({ items }: Pick<DocumentPage, 'items'>) => items.map(({ postingId }) => postingId);
  const search = (text: string) => bed.bridge.operations.documents({ text });
  const byCli = async (text: string) =>
    ids(JSON.parse((await run(['documents', text, '--json'], world)).out) as DocumentPage);
  const byApi = async (text: string) => {
    const url = `${bed.bridge.http!.url}/api/v1/documents?text=${encodeURIComponent(text)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return ids((await answer.json()) as DocumentPage);
  };

  test('is found by its number in the ledger, whole or its beginning, in any case', async () => {
    const { documentNo, id } = cost;
    expect(documentNo).toMatch(/^K/);
    for (const text of [documentNo, documentNo.toLowerCase(), documentNo.slice(0, -1)])
      expect(ids(await search(text)), text).toContain(id);
    expect(await byCli(documentNo)).toContain(id);
    expect(await byApi(documentNo)).toContain(id);
    expect((await search(documentNo)).items.find(({ postingId }) => postingId === id)).toMatchObject({
      documentNo,
    });
  });

  test('is found by the name of its supplier, or the beginning of a word of it', async () => {
    const { supplier, id } = cost;
    const [word = ''] = supplier.split(' ');
    for (const text of [supplier, word.slice(0, 3)]) expect(ids(await search(text)), text).toContain(id);
    expect(await byCli(supplier)).toContain(id);
    expect(await byApi(supplier)).toContain(id);
    const { document } = await bed.bridge.operations.explain(id);
    expect(document.counterpartyName).toBe(supplier);
  });

  test('is the one that is meant by its number in the ledger', async () => {
    expect(await bed.bridge.operations.identify(cost.documentNo)).toBe(cost.id);
    expect((await run(['explain', cost.documentNo], world)).out).toContain(cost.documentNo);
  });

  test('gets its name when it is read the next time, and its number from the journal it was booked with', async () => {
    const { prisma } = bed.database;
    const { documentId } = await prisma.posting.findUniqueOrThrow({ where: { id: cost.id } });
    // As rows were before either was kept.
    await prisma.$executeRaw`UPDATE document SET counterparty_name = '' WHERE id = ${documentId}::uuid`;
    await prisma.$executeRaw`UPDATE posting SET document_no = NULL WHERE id = ${cost.id}::uuid`;
    expect(ids(await search(cost.documentNo))).not.toContain(cost.id);
    const migration = new URL(
      '../../../prisma/migrations/20261115001300_document_no_of_booked/migration.sql',
      import.meta.url,
    );
    const [fill = ''] = /UPDATE "posting"[^;]*/.exec(await readFile(migration, 'utf8')) ?? [];
    await prisma.$executeRawUnsafe(fill);
    expect(ids(await search(cost.documentNo))).toContain(cost.id);

    const act = { actor: 'test', reason: 'to be read again' };
    await bed.bridge.operations.act('reverse', [cost.id], {}, act);
    await bed.bridge.operations.act('repost', [cost.id], {}, act);
    await bed.settled();
    expect(ids(await search(cost.supplier))).toContain(cost.id);
  });
});
