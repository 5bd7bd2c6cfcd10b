// Whatever is done to a certificate after it was sealed is found, and the document is named where its bytes say it.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CERTIFICATE_FORMAT,
  type CertificateSummary,
  leafHash,
  merkleTree,
} from '../../../src/certificate/certificate.js';
import { writeCertificate } from '../../../src/certificate/certificate-writer.js';
import { signerOf } from '../../../src/certificate/signing.js';
import { verifyCertificate } from '../../../src/certificate/verify-certificate.js';
import { Secret } from '../../../src/domain/secret.js';

const RECORDS = 140;

const newSigner = () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return signerOf(new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()));
};

const HEAD = {
  format: CERTIFICATE_FORMAT,
  ...{ tenant: 'hraun', title: 'Hraun ehf.', account: '4504013150', ledger: 'l' },
  ...{ from: '2026-10-01', to: '2026-10-31', madeAt: '2026-11-01T00:00:00Z', madeBy: 'sigga' },
  ...{ program: 'test', previous: null },
} as const;
const SUMMARY: CertificateSummary = {
  verdict: 'green',
  ...{ differences: [], documents: [], accounts: [], vat: [], setAside: [], limits: [] },
  entries: { bridge: RECORDS, erp: RECORDS },
  numbers: null,
  originals: {},
  audit: { length: '0', head: '', whole: true },
};

const record = (number: number) =>
  JSON.stringify({
    document: { kind: 'invoice', number: String(1000 + number), guid: `g-${String(number)}`, amount: '1240' },
    journal: {
      lines: [
        { account: '1200', debit: '1240' },
        { account: '4000', credit: '1000' },
      ],
    },
  });

const called = (number: number) => `invoice ${String(1000 + number)} g-${String(number)}`;

let directory: string;
let path: string;
let lines: string[];
/** Number of a record → which of the lines it is. */
let places: number[];
const signer = newSigner();

async function made(name: string, count: number, by = signer): Promise<string> {
  const file = join(directory, name);
  const writer = await writeCertificate(file, HEAD, by);
  for (let number = 0; number < count; number++) await writer.add(record(number), called(number));
  await writer.seal(SUMMARY);
  return file;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-certificate-'));
  path = await made('good.jsonl', RECORDS);
  lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  places = [...lines.keys()].filter((at) => /^[0-9a-f]{64} /.test(lines[at]!));
});
afterAll(() => rm(directory, { recursive: true }));

async function problemsOf(changed: readonly string[], publicKey?: string) {
  return (await verifyCertificate(Buffer.from(`${changed.join('\n')}\n`), { publicKey })).problems;
}

const edited = (at: number, line: string | null, more: string[] = []) => [
  ...lines.slice(0, at),
  ...(line === null ? [] : [line]),
  ...more,
  ...lines.slice(at + 1),
];

// Each of hundreds of certificates is read three times: on a busy machine that takes its time.
describe('a certificate', { timeout: 60_000 }, () => {
  it('as it was made is good, and says who signed it', async () => {
    const verified = await verifyCertificate(path, { publicKey: signer.publicKey });
    expect(verified).toMatchObject({ problems: [], records: RECORDS, head: { tenant: 'hraun' } });
    expect(verified.signedBy).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/);
  });

  it('with any one byte of any one record changed names that document', async () => {
    expect(places).toHaveLength(RECORDS);
    for (const [number, at] of places.entries()) {
      const line = lines[at]!;
      // Another byte of each: its hash, the space after it, its name, its amounts.
      const place = (number * 37) % line.length;
      const byte = line[place] === '1' ? '2' : '1';
      const problems = await problemsOf(edited(at, line.slice(0, place) + byte + line.slice(place + 1)));
      expect(problems[0], `byte ${String(place)}`).toEqual({
        ...{ code: 'RECORD_CHANGED', line: at + 1, what: called(number) },
      });
    }
  });

  it('with any one record made anew together with its hash names that document', async () => {
    for (const [number, at] of places.entries()) {
      const forged = lines[at]!.slice(65).replace('"debit":"1240"', '"debit":"9"');
      expect(await problemsOf(edited(at, `${leafHash(forged).toString('hex')} ${forged}`))).toEqual([
        { code: 'RECORD_MADE_ANEW', line: at + 1, what: called(number) },
      ]);
    }
  });

  it('with any one record dropped names that document', async () => {
    for (const [number, at] of places.entries())
      expect(await problemsOf(edited(at, null))).toEqual([
        { code: 'COUNT_DIFFERS', sealed: RECORDS, found: RECORDS - 1 },
        { code: 'RECORD_DROPPED', place: number + 1, what: called(number) },
      ]);
  });

  it('with a record added after any other, or one there twice, names it', async () => {
    for (const [number, at] of places.entries()) {
      const foreign = record(5_000 + number);
      const strange = `${leafHash(foreign).toString('hex')} ${foreign}`;
      for (const [added, what] of [
        [strange, called(5_000 + number)],
        [lines[at]!, called(number)],
      ] as const)
        expect(await problemsOf(edited(at, lines[at]!, [added]))).toEqual([
          { code: 'COUNT_DIFFERS', sealed: RECORDS, found: RECORDS + 1 },
          { code: 'RECORD_ADDED', line: at + 2, what },
        ]);
    }
  });

  it('with any two records exchanged names the first that is not in its place', async () => {
    for (const [number, at] of places.entries()) {
      const other = (number + 1) % RECORDS;
      const swapped = [...lines];
      [swapped[at], swapped[places[other]!]] = [swapped[places[other]!]!, swapped[at]!];
      const first = Math.min(number, other);
      expect(await problemsOf(swapped)).toEqual([
        { code: 'RECORD_MOVED', place: first + 1, what: called(first) },
      ]);
    }
  });

  it('whose list of names was changed too says where to look', async () => {
    for (let number = 0; number < RECORDS; number += 7) {
      const at = places[number]!;
      const forged = lines[at]!.slice(65).replace('"debit":"1240"', '"debit":"9"');
      const changed = edited(at, `${leafHash(forged).toString('hex')} ${forged}`).map((line) =>
        line.startsWith('index ') ? line.replace(called(number), called(7_000)) : line,
      );
      const problems = await problemsOf(changed);
      expect(problems[0]).toEqual({ code: 'INDEX_CHANGED' });
      const run = problems.find(({ code }) => code === 'RUN_DIFFERS') as { from: number; to: number };
      expect(number + 1 >= run.from && number < run.to).toBe(true);
    }
  });

  it('with another head or another finding is refused by its signature', async () => {
    expect(await problemsOf(edited(0, lines[0]!.replace('2026-10-31', '2026-10-30')))).toEqual([
      { code: 'SIGNATURE_WRONG' },
    ]);
    const seal = lines.at(-1)!;
    expect(await problemsOf([...lines.slice(0, -1), seal.replace('"green"', '"red"')])).toEqual([
      { code: 'SIGNATURE_WRONG' },
    ]);
  });

  it('that somebody else made anew and signed is told by its key', async () => {
    const file = await made('other.jsonl', RECORDS, newSigner());
    const { outcome, problems } = await verifyCertificate(file, { publicKey: signer.publicKey });
    expect(outcome).toBe('other-key');
    expect(problems).toMatchObject([{ code: 'OTHER_KEY' }]);
  });

  it('that was cut off, goes on after its seal or is none says so', async () => {
    expect(await problemsOf(lines.slice(0, -1))).toEqual([{ code: 'SEAL_MISSING' }]);
    expect(await problemsOf([...lines, lines[1]!])).toEqual([{ code: 'AFTER_THE_SEAL' }]);
    expect(await problemsOf(['{"hello":1}'])).toEqual([{ code: 'NOT_A_CERTIFICATE' }]);
  });

  it('that is whole but not signed is told apart from one that was changed, unless a signature was asked for', async () => {
    const file = join(directory, 'unsigned.jsonl');
    await (await writeCertificate(file, HEAD, null)).seal(SUMMARY);
    expect(await verifyCertificate(file)).toMatchObject({ outcome: 'unsigned', problems: [] });
    const asked = await verifyCertificate(file, { publicKey: signer.publicKey });
    expect(asked).toMatchObject({ outcome: 'unsigned', problems: [{ code: 'NOT_SIGNED' }] });
    expect(await verifyCertificate(path)).toMatchObject({ outcome: 'signed', problems: [] });
    const seal = lines.at(-1)!;
    const stripped = seal.replace(/"publicKey":"[^"]*"/, '"publicKey":null');
    expect(stripped).not.toBe(seal);
    expect(await problemsOf([...lines.slice(0, -1), stripped])).toEqual([{ code: 'SIGNATURE_WRONG' }]);
  });
});

describe('the tree', () => {
  /** As RFC 6962 writes it, without a thought for speed. */
  const rootOf = (leaves: readonly Buffer[]): string => {
    const tree = merkleTree();
    for (const leaf of leaves) tree.add(leaf);
    return tree.finish().root;
  };

  it('of two halves is the hash of their roots, for every number of leaves', () => {
    const leaves = Array.from({ length: 300 }, (_, number) => leafHash(String(number)));
    for (const count of [1, 2, 3, 5, 127, 128, 129, 255, 256, 257, 300]) {
      const split = 2 ** (Math.ceil(Math.log2(count)) - 1);
      const some = leaves.slice(0, count);
      if (count === 1) expect(rootOf(some)).toBe(some[0]!.toString('hex'));
      else {
        const halves = [some.slice(0, split), some.slice(split)].map((half) =>
          Buffer.from(rootOf(half), 'hex'),
        );
        const tree = merkleTree();
        for (const half of halves) tree.add(half);
        expect(rootOf(some)).toBe(tree.finish().root);
      }
    }
  });
});
