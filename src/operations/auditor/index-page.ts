// The page that a person opens first: what is in the archive, and how to check it. Plain HTML without a script.
import type { Language } from '../../language/say.js';
import type { Closed } from '../closing/closing.js';

const WORDS = {
  en: {
    title: 'Archive of a period for auditors',
    files: 'What is in it',
    verdict: { green: 'Green: everything agrees.', red: 'Red: see the certificate.' },
    check: 'Check it without the bridge:',
    originals: 'Originals, named by the SHA-256 of their bytes',
    about: {
      'certificate-en.txt': 'the certificate, to read',
      'certificate.jsonl': 'the certificate, to verify',
      'description-en.md': 'how documents become entries',
      'documents.csv': 'every document',
      'journal_lines.csv': 'every line that the bridge booked',
      'erp_lines.csv': 'every line as the ERP shows it',
      'originals.csv': 'PDFs, receipts and e-invoices by hash',
    },
  },
  is: {
    title: 'Safn tímabils fyrir endurskoðendur',
    files: 'Innihald',
    verdict: { green: 'Grænt: allt stemmir.', red: 'Rautt: sjá staðfestinguna.' },
    check: 'Athuga má safnið án brúarinnar:',
    originals: 'Frumrit, nefnd eftir SHA-256-tætigildi sínu',
    about: {
      'certificate-is.txt': 'staðfestingin, til lestrar',
      'certificate.jsonl': 'staðfestingin, til sannprófunar',
      'description-is.md': 'hvernig skjöl verða að færslum',
      'documents.csv': 'öll skjöl',
      'journal_lines.csv': 'hver lína sem brúin bókaði',
      'erp_lines.csv': 'hver lína eins og bókhaldskerfið sýnir hana',
      'originals.csv': 'PDF-skjöl, kvittanir og rafrænir reikningar eftir tætigildi',
    },
  },
} as const;

export function indexPage(
  language: Language,
  { head, seal }: Closed,
  originals: ReadonlySet<string>,
): string {
  const words = WORDS[language];
  const files = Object.entries(words.about)
    .map(([name, about]) => `<li><a href="${name}">${name}</a>: ${escaped(about)}</li>`)
    .join('\n');
  const links = [...originals]
    .sort()
    .map((name) => `<li><a href="${name}">${name}</a></li>`)
    .join('\n');
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escaped(words.title)}</title></head>
<body>
<h1>${escaped(words.title)}</h1>
<p>${escaped(head.title)} (${escaped(head.account)}), ${head.from} – ${head.to}</p>
<p><strong>${escaped(words.verdict[seal.summary.verdict])}</strong></p>
<h2>${escaped(words.files)}</h2>
<ul>
${files}
</ul>
<p>${escaped(words.check)} <code>ledgerbridge verify certificate.jsonl</code></p>
<h2>${escaped(words.originals)}</h2>
<ul>
${links}
</ul>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
