// How long `verify` takes for a certificate of many documents, without a database: writes one of generated records as large as
// real ones, reads it again in a process of its own, and says time, processor time and memory.
//   npx tsx scripts/bench-verify.mjs 1000000
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CERTIFICATE_FORMAT } from '../src/certificate/certificate.ts';
import { writeCertificate } from '../src/certificate/certificate-writer.ts';
import { signerOf } from '../src/certificate/signing.ts';
import { verifyCertificate } from '../src/certificate/verify-certificate.ts';
import { Secret } from '../src/domain/secret.ts';

const HEAD = {
  ...{ format: CERTIFICATE_FORMAT, tenant: 'hraun', title: 'Hraun ehf.', account: '4504013150' },
  ...{ ledger: 'bench', from: '2026-01-01', to: '2026-12-31', madeAt: '2027-01-01T00:00:00Z' },
  ...{ madeBy: 'bench', program: 'ledgerbridge', previous: null },
};
const SUMMARY = {
  ...{ verdict: 'green', differences: [], documents: [], accounts: [], vat: [], setAside: [], limits: [] },
  ...{ entries: { bridge: 0, erp: 0 }, numbers: null, originals: {} },
  audit: { length: '0', head: '', whole: true },
};

const sha = (text) => createHash('sha256').update(text).digest('hex');

/** As the closing of a period writes them, some 2.5 kB each. */
function recordOf(number, hash) {
  const line = (account, debit, credit) => ({
    ...{ account, debit, credit, text: `Reikningur ${number}, Hraun ehf.`, vatCode: 'S24', dimensions: {} },
  });
  const lines = [line('1500', '124000', '0'), line('4000', '0', '100000'), line('2510', '0', '24000')];
  const guid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4000-8000-${hash.slice(12, 24)}`;
  return JSON.stringify({
    document: {
      ...{ kind: 'invoice', guid, number: String(number), issueDate: '2026-03-04', amount: '124000' },
      ...{
        currency: 'ISK',
        sourceStatus: 'Posted',
        contentHash: hash,
        snapshotHash: hash,
        key: hash.slice(0, 20),
      },
      ...{
        generation: 0,
        state: 'acknowledged',
        reason: null,
        postingDate: '2026-03-04',
        erpNumber: `E${number}`,
      },
      ...{ settlementNumber: null, decidedBy: 'worker', bookedElsewhere: false },
    },
    journal: {
      key: hash.slice(0, 20),
      documentNo: String(number),
      postingDate: '2026-03-04',
      currency: 'ISK',
      lines,
    },
    settlement: null,
    entries: [
      { key: hash.slice(0, 20), state: 'posted', postingDate: '2026-03-04', id: `e${number}`, lines },
    ],
    originals: [
      {
        role: 'pdf',
        state: 'attached',
        reason: null,
        sha256: hash,
        size: 48211,
        erpFileName: `invoice-${number}-pdf.pdf`,
        generation: 0,
      },
    ],
    audit: Array.from({ length: 6 }, (_, at) => `${number * 6 + at}:${hash}`),
  });
}

async function measure(count) {
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-bench-'));
  const path = join(directory, 'certificate.jsonl');
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = signerOf(new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()));
  const began = performance.now();
  const writer = await writeCertificate(path, HEAD, signer);
  for (let number = 1; number <= count; number++) {
    const hash = sha(String(number));
    await writer.add(recordOf(number, hash), `invoice ${number} ${hash.slice(0, 8)}`);
  }
  await writer.seal(SUMMARY);
  const wroteMs = performance.now() - began;
  const megabytes = (await stat(path)).size / 1e6;
  console.log(`${count} documents, ${megabytes.toFixed(0)} MB, written in ${(wroteMs / 1000).toFixed(1)} s`);
  const self = fileURLToPath(import.meta.url);
  spawnSync(process.execPath, [...process.execArgv, self, '--verify', path], { stdio: 'inherit' });
  await rm(directory, { recursive: true });
}

async function verify(path) {
  const began = performance.now();
  const before = process.cpuUsage();
  const { problems, records } = await verifyCertificate(path);
  const { user, system } = process.cpuUsage(before);
  const peak = process.resourceUsage().maxRSS / 1024;
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `${records} verified in ${seconds(performance.now() - began)}, ${seconds((user + system) / 1000)} of processor time, at most ${peak.toFixed(0)} MB; ${problems.length} problems`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

const [first, path] = process.argv.slice(2);
if (first === '--verify') await verify(path);
else await measure(Number(first ?? 100_000));
