// A certificate in words: what it found, said in the language of whoever reads it; and the same on paper.
import type { CertificateHead } from '../../certificate/certificate.js';
import { type PrintedCertificate, subjectText } from '../../certificate/certificate-text.js';
import { fingerprintOf } from '../../certificate/signing.js';
import { type Language, say } from '../../language/say.js';
import type { CertificateView } from '../views/certificate.js';
import type { CertificateRow } from './records.js';

export function certificateView(language: Language, row: CertificateRow): CertificateView {
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
export function printedOf(row: CertificateRow): PrintedCertificate {
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
