// Rule 8 and the limits of attachments.
import { Decimal } from '../../domain/decimal.js';
import type { FilePart } from '../wire-types.js';
import { ATTACHMENT_BYTES_MAX, ATTACHMENT_EXTENSIONS } from '../wire-values.js';
import { broken, type Breach } from './breach.js';

interface CostFields {
  readonly amount: Decimal;
  readonly vat_11?: Decimal | undefined;
  readonly vat_24?: Decimal | undefined;
  readonly file?: FilePart | undefined;
}

/** VAT is rounded to whole krónur; each krona of it stands for up to ten of the gross amount it was taken from. */
const ROUNDING_ISK = 15;

export function costRules(cost: CostFields): readonly Breach[] {
  const breaches: Breach[] = [];
  if (!cost.amount.isPositive() || cost.amount.isZero()) {
    breaches.push(broken(8, 'AMOUNT_NOT_ABOVE_ZERO'));
  }
  const vat24 = cost.vat_24 ?? new Decimal(0);
  const vat11 = cost.vat_11 ?? new Decimal(0);
  if (vat24.isNegative() || vat11.isNegative()) {
    breaches.push(broken(8, 'VAT_NEGATIVE'));
  }
  const taxed = vat24.times(124).div(24).plus(vat11.times(111).div(11));
  if (taxed.gt(cost.amount.abs().plus(ROUNDING_ISK))) {
    breaches.push(broken(8, 'VAT_MORE_THAN_AMOUNT', { taxed: taxed.toFixed(0) }));
  }
  return [...breaches, ...attachmentRules(cost.file)];
}

const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  jpg: ['ffd8ff'],
  jpeg: ['ffd8ff'],
  png: ['89504e47'],
  gif: ['47494638'],
  pdf: ['25504446'],
};

export function attachmentRules(file: FilePart | undefined): readonly Breach[] {
  if (file === undefined) return [];
  const extension = file.fileName.split('.').at(-1)?.toLowerCase() ?? '';
  if (!(ATTACHMENT_EXTENSIONS as readonly string[]).includes(extension)) {
    return [broken('attachment', 'FILE_TYPE_REFUSED', { type: extension.slice(0, 20) })];
  }
  if (file.content.byteLength === 0) return [broken('attachment', 'FILE_EMPTY')];
  if (file.content.byteLength > ATTACHMENT_BYTES_MAX) {
    return [broken('attachment', 'FILE_TOO_LARGE', { bytes: file.content.byteLength })];
  }
  const start = Buffer.from(file.content.subarray(0, 8)).toString('hex');
  if (SIGNATURES[extension]?.some((signature) => start.startsWith(signature)) === true) return [];
  return [broken('attachment', 'FILE_NOT_LIKE_ITS_NAME', { type: extension })];
}

/** Something that these rules judge as they would judge a real file of that name and size. */
export function fileLike(fileName: string, bytes: number): FilePart {
  const content = Buffer.alloc(Math.max(0, Math.min(bytes, ATTACHMENT_BYTES_MAX + 1)));
  const [signature = ''] = SIGNATURES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? [];
  Buffer.from(signature, 'hex').copy(content);
  return { fileName, content };
}
