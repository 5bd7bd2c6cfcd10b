// What can be done with a period: close it, see what was found, print it; and rehearse rules before they go live.
import { access } from 'node:fs/promises';
import type { TenantName } from '../../domain/ids.js';
import { certificatePdf, type PrintedCertificate, subjectText } from '../../certificate/certificate-text.js';
import { isCalendarDay } from '../../domain/local-time.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { type Language, say } from '../../language/say.js';
import { rulesFromText } from '../../tenants/given-rules.js';
import type { Act } from '../act.js';
import type { OperationsDeps, Period } from '../deps.js';
import { refuseUnknownTenant, unknownTenant } from '../known-tenant.js';
import type { Rehearsal } from '../rehearsal/rehearsal.js';
import type { CertificateView } from '../views/certificate.js';
import type { CertificateRow } from './records.js';
import type { CertificateHead } from '../../certificate/certificate.js';
import { fingerprintOf } from '../../certificate/signing.js';

export interface RehearsalRequest {
  /** A tenant file or rules, as text; left out: those in force, against the journals on record. */
  readonly rules?: string | undefined;
  readonly since?: string | undefined;
}

export interface OnPeriods {
  closePeriod(tenant: TenantName, period: Period, act: Act): Promise<CertificateView>;
  /** The newest first. */
  certificates(tenant?: string): Promise<CertificateView[]>;
  certificate(id: string): Promise<CertificateView>;
  certificatePdf(id: string, language: Language): Promise<Buffer>;
  /** The path of the file that `verify` checks; null: it is on another machine. */
  certificateFile(id: string): Promise<string | null>;
  /** Nothing is written and nobody is asked. */
  rehearse(tenant: TenantName, request: RehearsalRequest): Promise<Rehearsal>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function onPeriods(deps: OperationsDeps): OnPeriods {
  const { closing, language } = deps;
  const findRow = async (id: string): Promise<CertificateRow> => {
    const row = UUID.test(id) ? await closing.certificate(id) : null;
    if (row === null) throw coded('CERTIFICATE_NOT_FOUND', message('CERTIFICATE_UNKNOWN', { id }));
    return row;
  };
  return {
    closePeriod: async (tenant, period, act) => {
      if (!isCalendarDay(period.from) || !isCalendarDay(period.to) || period.from > period.to)
        throw coded('QUERY_INVALID', message('GIVE_A_PERIOD'));
      const { id } = await closing.close(tenant, period, act);
      return certificateView(language, await findRow(id));
    },
    certificates: async (tenant) => {
      await refuseUnknownTenant(deps, tenant);
      const rows = await closing.certificates(tenant === undefined ? null : [tenant]);
      return rows.map((row) => certificateView(language, row));
    },
    certificate: async (id) => certificateView(language, await findRow(id)),
    certificatePdf: async (id, spoken) => {
      const row = await findRow(id);
      const { changedSince: count, superseded } = row;
      const reopened = count === 0 || superseded ? null : say(spoken, message('PERIOD_REOPENED', { count }));
      return certificatePdf(spoken, printedOf(row), reopened);
    },
    certificateFile: async (id) => {
      const path = closing.fileOf(await findRow(id));
      return access(path).then(
        () => path,
        () => null,
      );
    },
    rehearse: async (name, { rules, since }) => {
      const tenant = deps.connections.tenant(name);
      if (tenant === null) throw unknownTenant(name, deps.connections.names());
      if (since !== undefined && !isCalendarDay(since))
        throw coded('QUERY_INVALID', message('GIVE_A_PERIOD'));
      const wanted = rules === undefined ? undefined : await rulesFromText(rules, tenant.file);
      return deps.rehearse(name, { rules: wanted, since });
    },
  };
}

// A certificate in words: what it found, said in the language of whoever reads it; and the same on paper.

function certificateView(language: Language, row: CertificateRow): CertificateView {
  const { summary, head, publicKey } = row;
  const { id, tenantName, from, to, madeAt, madeBy, verdict, changedSince, superseded, root, records } = row;
  const { differences, documents, accounts, vat, setAside, limits, audit, entries, numbers } = summary;
  return {
    ...{ id, tenantName, from, to, madeAt, madeBy, verdict, changedSince, superseded, root, records },
    previousRoot: head?.previous?.root ?? null,
    signedBy: publicKey === null ? null : fingerprintOf(publicKey),
    differences: differences.map((one) => ({ code: one.code, sentence: say(language, one) })),
    documents: documents.map(({ subject, source, bridge, agrees }) => ({
      ...{ subject: subjectText(language, subject), source, bridge, agrees },
    })),
    accounts: [...accounts],
    vat: vat.map(({ rates = [], erp = null, agrees = true, ...line }) => ({
      ...line,
      rates: [...rates],
      erp,
      agrees,
    })),
    entries,
    numbers: numbers && { ...numbers, missing: [...numbers.missing] },
    setAside: setAside.map(({ why, ...one }) => ({ ...one, why: why === null ? '' : say(language, why) })),
    originals: { ...summary.originals },
    audit: { length: audit.length, whole: audit.whole },
    limits: limits.map((limit) => say(language, limit)),
  };
}

/** For paper. One that was made before its head was kept shows what its row knows. */
function printedOf(row: CertificateRow): PrintedCertificate {
  const { tenantName, from, to, madeAt, madeBy, root, summary, publicKey } = row;
  const head: CertificateHead = row.head ?? {
    ...{
      format: 'ledgerbridge-certificate/1',
      tenant: tenantName,
      title: tenantName,
      account: '',
      ledger: '',
    },
    ...{ from, to, madeAt, madeBy, program: 'ledgerbridge', previous: null },
  };
  return { head, summary, root, signedBy: publicKey === null ? null : fingerprintOf(publicKey) };
}
