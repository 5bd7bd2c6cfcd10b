// What `verify` tells a person and a script of a certificate that nobody signed.
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CERTIFICATE_FORMAT } from '../../../src/certificate/certificate.js';
import { writeCertificate } from '../../../src/certificate/certificate-writer.js';
import { emptyDirectory, run } from './run-cli.js';

async function unsigned(): Promise<string> {
  const cwd = await emptyDirectory();
  const writer = await writeCertificate(
    join(cwd, 'october.jsonl'),
    {
      format: CERTIFICATE_FORMAT,
      ...{ tenant: 'hraun', title: 'Hraun ehf.', account: '4504013150', ledger: 'l' },
      ...{ from: '2026-10-01', to: '2026-10-31', madeAt: '2026-11-01T00:00:00Z', madeBy: 'sigga' },
      ...{ program: 'test', previous: null },
    },
    null,
  );
  await writer.add('{"document":{"kind":"invoice","number":"1001","amount":"1240"}}', 'invoice 1001');
  await writer.seal({
    verdict: 'green',
    ...{ differences: [], documents: [], accounts: [], vat: [], setAside: [], limits: [] },
    entries: { bridge: 1, erp: 1 },
    numbers: null,
    originals: {},
    audit: { length: '0', head: '', whole: true },
  });
  return cwd;
}

test('says that an unsigned certificate is whole and not signed, and exits with 0', async () => {
  const cwd = await unsigned();
  const told = await run(['verify', 'october.jsonl'], { cwd });
  expect(told.out).not.toContain('NOT as it was sealed');
  expect(told.out).toContain('1 record is as it was sealed. It is not signed: anybody could have made it.');
  expect(told.code).toBe(0);
  const json = await run(['verify', 'october.jsonl', '--json'], { cwd });
  expect(JSON.parse(json.out)).toMatchObject({ outcome: 'unsigned', signedBy: null, problems: [] });
});

test('exits with 3 where a key was given, and says that the signature is missing, not that records were changed', async () => {
  const cwd = await unsigned();
  const { publicKey } = generateKeyPairSync('ed25519');
  await writeFile(join(cwd, 'firm.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  const told = await run(['verify', 'october.jsonl', '--key', 'firm.pem'], { cwd });
  expect(told.code).toBe(3);
  expect(told.out).not.toContain('NOT as it was sealed');
  expect(told.out).toContain('1 record is as it was sealed. It is not signed');
});

test('exits with 3 where an unsigned certificate was changed, and says so', async () => {
  const cwd = await unsigned();
  const text = await readFile(join(cwd, 'october.jsonl'), 'utf8');
  await writeFile(join(cwd, 'october.jsonl'), text.replace('"1240"', '"9240"'));
  const told = await run(['verify', 'october.jsonl'], { cwd });
  expect(told.code).toBe(3);
  expect(told.out).toContain('NOT as it was sealed');
  const json = await run(['verify', 'october.jsonl', '--json'], { cwd });
  expect(JSON.parse(json.out)).toMatchObject({ outcome: 'changed' });
});
