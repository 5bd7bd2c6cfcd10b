// A certificate on paper, in one language: what it found in green or red at the top, then the figures, and at the foot what proves
// it. Long lists are cut and say so; the file has everything.
import { certificateText, type PrintedCertificate } from './certificate-text.js';
import type { Language } from '../language/say.js';

const MARGIN = 46;
const COLOURS = { green: '#116633', red: '#aa1122' } as const;
/** Signs that the fonts every reader has do not know. */
const IN_FONT: readonly (readonly [RegExp, string])[] = [
  [/≠/g, '<>'],
  [/−/g, '-'],
  [/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”…•\n]/g, '?'],
];

export async function certificatePdf(
  language: Language,
  printed: PrintedCertificate,
  reopened: string | null,
): Promise<Buffer> {
  // Loaded when somebody asks: it is large, and few do.
  const { default: Pdf } = await import('pdfkit');
  const [heading = '', verdict = '', ...blocks] = certificateText(language, printed)
    .split('\n\n')
    .map(inFont);
  const [title = '', ...facts] = heading.split('\n');
  const page = new Pdf({ size: 'A4', margin: MARGIN, lang: language, info: { Title: title } });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<Buffer>((resolve, reject) => {
    page.on('end', () => resolve(Buffer.concat(chunks)));
    page.on('error', reject);
  });
  page.font('Helvetica-Bold').fontSize(15).text(title);
  page.font('Helvetica').fontSize(9).text(facts.join('\n')).moveDown();
  const [said = '', ...differences] = verdict.split('\n');
  page.font('Helvetica-Bold').fontSize(11).fillColor(COLOURS[printed.summary.verdict]).text(said);
  if (reopened !== null) page.fillColor(COLOURS.red).text(inFont(reopened));
  page.font('Helvetica').fontSize(9);
  if (differences.length > 0) page.fillColor(COLOURS.red).text(differences.join('\n'));
  page.fillColor('black').moveDown();
  for (const block of blocks) page.text(block).moveDown(0.6);
  page.end();
  return finished;
}

function inFont(text: string): string {
  return IN_FONT.reduce((shown, [sign, instead]) => shown.replaceAll(sign, instead), text);
}
