// Closes a period: reads the invoicing service, the records and the ERP, compares the three, and writes it all down with a seal.
// It reads only; nothing heals itself here. Whatever differs makes it red and is named.
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CERTIFICATE_FORMAT, type CertificateHead } from '../../certificate/certificate.js';
import { writeCertificate } from '../../certificate/certificate-writer.js';
import type { Signer } from '../../certificate/signing.js';
import { isCalendarDay } from '../../domain/local-time.js';
import { PRIVATE_DIRECTORY } from '../../domain/private-files.js';
import type { Clock, Runtime } from '../../domain/runtime.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { type Act, checkedAct } from '../act.js';
import type { ConnectedTenants, Period } from '../connected-tenants.js';
import { unknownTenant } from '../known-tenant.js';
import type { Closed, Closing, ClosingProgress } from './closing.js';
import { ContentCheck, readBooks } from './content-check.js';
import { compareDocuments } from './compare-documents.js';
import { readSource } from './read-source.js';
import type { ClosingRecords } from './records.js';
import { summarise } from './summary.js';

export interface ClosingDeps {
  readonly records: ClosingRecords;
  readonly connections: ConnectedTenants;
  readonly clock: Clock;
  readonly runtime: Pick<Runtime, 'timers' | 'random'>;
  /** null: certificates are not signed, and say so. */
  readonly signer: Signer | null;
  readonly directory: string;
  readonly program: string;
}

const CERTIFICATES_SHOWN_MAX = 100;

export function createClosing(deps: ClosingDeps): Closing {
  return {
    close: (tenant, period, act, onProgress) =>
      closePeriod(deps, tenant, period, checkedAct(act), onProgress ?? (() => undefined)),
    certificates: (companies) => deps.records.certificates(companies, CERTIFICATES_SHOWN_MAX),
    certificate: (id) => deps.records.certificate(id),
    fileOf: ({ file }) => join(deps.directory, basename(file)),
  };
}

/** 2026, 2026-10 or two days. */
export function periodOf(text: string, to?: string): Period {
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  if (month) {
    const last = new Date(Date.UTC(Number(month[1]), Number(month[2]), 0)).getUTCDate();
    return { from: `${text}-01`, to: `${text}-${String(last).padStart(2, '0')}` };
  }
  if (/^\d{4}$/.test(text)) return { from: `${text}-01-01`, to: `${text}-12-31` };
  if (to !== undefined && isCalendarDay(text) && isCalendarDay(to) && text <= to) return { from: text, to };
  throw coded('QUERY_INVALID', message('PERIOD_UNFIT'));
}

async function closePeriod(
  deps: ClosingDeps,
  name: string,
  period: Period,
  act: Act,
  onProgress: (progress: ClosingProgress) => void,
): Promise<Closed> {
  const { connections, clock, records } = deps;
  const tenant = connections.tenant(name);
  if (!tenant) throw unknownTenant(name, connections.names());
  const context = await connections.get(name);
  const head: CertificateHead = {
    format: CERTIFICATE_FORMAT,
    ...{ tenant: name, title: tenant.title, account: context.sourceAccount, ledger: context.erp.ledger },
    ...{ from: period.from, to: period.to, madeAt: clock.now().toISOString(), madeBy: act.actor },
    ...{ program: deps.program, previous: await records.previous(name) },
  };
  const source = await readSource(context, period, deps.runtime, (documents) =>
    onProgress({ stage: 'listed', documents }),
  );
  const books = await readBooks(context, period);
  const file = `${name}-${period.from}-${period.to}-${head.madeAt.replaceAll(/[:.]/g, '')}.jsonl`;
  await mkdir(deps.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const path = join(deps.directory, file);
  const writer = await writeCertificate(path, head, deps.signer);
  try {
    const compared = await compareDocuments(
      {
        ...{ records, tenant, period, source, books },
        content: new ContentCheck({ source: context.source, listed: source, records, runtime: deps.runtime }),
        onProgress: (documents) => onProgress({ stage: 'compared', documents }),
      },
      (record, called) => writer.add(record, called),
    );
    const summary = await summarise({ records, tenant, context, period, source, books, compared });
    const seal = await writer.seal(summary);
    const { root, records: count, publicKey, signature } = seal;
    const kept = { tenantName: name, ...period, madeAt: head.madeAt, file, summary, head };
    const id = await records.save(act, { ...kept, root, records: count, publicKey, signature });
    if (id === null) throw coded('ACT_NOT_POSSIBLE', message('CLOSED_MEANWHILE', { tenant: name }));
    return { id, path, head, seal };
  } catch (error) {
    await writer.abandon().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}
