// Rule 8 and the limits of attachments.
import { Decimal } from '../../domain/decimal.js';
import type { FilePart } from '../wire-types.js';
import { ATTACHMENT_BYTES_MAX, ATTACHMENT_EXTENSIONS } from '../wire-values.js';
import type { Breach } from './breach.js';

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
    breaches.push({
      rule: 8,
      message: 'amount must be above zero; a credit note says so with credit_note: 1.',
    });
  }
  const vat24 = cost.vat_24 ?? new Decimal(0);
  const vat11 = cost.vat_11 ?? new Decimal(0);
  if (vat24.isNegative() || vat11.isNegative()) {
    breaches.push({ rule: 8, message: 'vat_11 and vat_24 must not be negative.' });
  }
  const taxed = vat24.times(124).div(24).plus(vat11.times(111).div(11));
  if (taxed.gt(cost.amount.abs().plus(ROUNDING_ISK))) {
    const message = `the VAT given belongs to ${taxed.toFixed(0)} ISK, more than the amount; vat_11 and vat_24 are amounts.`;
    breaches.push({ rule: 8, message });
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
    return [{ rule: 'attachment', message: `a file of type "${extension.slice(0, 20)}" is not accepted.` }];
  }
  if (file.content.byteLength === 0) return [{ rule: 'attachment', message: 'the file is empty.' }];
  if (file.content.byteLength > ATTACHMENT_BYTES_MAX) {
    return [{ rule: 'attachment', message: `the file has ${String(file.content.byteLength)} bytes.` }];
  }
  const start = Buffer.from(file.content.subarray(0, 8)).toString('hex');
  if (SIGNATURES[extension]?.some((signature) => start.startsWith(signature)) === true) return [];
  return [{ rule: 'attachment', message: `the file does not begin like a ${extension} file.` }];
}

/** Something that these rules judge as they would judge a real file of that name and size. */
export function fileLike(fileName: string, bytes: number): FilePart {
  const content = Buffer.alloc(Math.max(0, Math.min(bytes, ATTACHMENT_BYTES_MAX + 1)));
  const [signature = ''] = SIGNATURES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? [];
  Buffer.from(signature, 'hex').copy(content);
  return { fileName, content };
}
