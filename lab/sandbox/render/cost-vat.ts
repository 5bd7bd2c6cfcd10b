// How a cost divides into parts by VAT rate, in the document's own currency, so that the parts add up to its amount.
import type { Cost, Hundredths } from '../model.js';

/** S standard, E exempt, Z zero-rated, O outside VAT: categories of the European code list that Peppol uses. */
export type VatCategory = 'S' | 'E' | 'Z' | 'O';

export interface VatPart {
  readonly category: VatCategory;
  readonly percent: number;
  readonly base: Hundredths;
  readonly vat: Hundredths;
  /** Why there is no VAT; E and O must say so. */
  readonly reason: string | null;
}

/** Icelandic suppliers charge VAT in any currency, so a foreign document without any comes from abroad. */
export function isFromAbroad(cost: Cost): boolean {
  return cost.currency !== 'ISK' && cost.vat_S === 0 && cost.vat_AA === 0;
}

const WHOLE_CURRENCIES: readonly string[] = ['JPY', 'KRW', 'VND'];
const SALARY_CODES: readonly string[] = ['3033', '3080', '3085', '3090', '9535'];
/** What rounding VAT to whole krónur can leave over: 1, and half a króna over each rate. */
const REST_FOLDED = { always: 100, S: 260, AA: 510 } as const;

/** Half a króna of VAT is 4.5 of a base at 11 % and 2.1 of one at 24 %: the rest is shared out in that measure. */
const SHARE_OF_REST_AA = 24 / (24 + 11);

export function vatParts(cost: Cost): VatPart[] {
  const vatS = inDocumentCurrency(cost.vat_S, cost);
  const vatAA = inDocumentCurrency(cost.vat_AA, cost);
  let baseS = rounded((vatS * 100) / 24, cost);
  let baseAA = rounded((vatAA * 100) / 11, cost);
  let rest = cost.amount - vatS - vatAA - baseS - baseAA;
  if ((vatS > 0 || vatAA > 0) && rest <= restFolded(cost)) {
    const toAA = vatAA === 0 ? 0 : vatS === 0 ? rest : rounded(rest * SHARE_OF_REST_AA, cost);
    baseAA += toAA;
    baseS += rest - toAA;
    rest = 0;
  }
  const parts: VatPart[] = [];
  if (vatS !== 0) parts.push({ category: 'S', percent: 24, base: baseS, vat: vatS, reason: null });
  if (vatAA !== 0) parts.push({ category: 'S', percent: 11, base: baseAA, vat: vatAA, reason: null });
  if (rest !== 0 || parts.length === 0) parts.push(untaxed(cost, rest, parts.length > 0));
  return parts;
}

function untaxed(cost: Cost, base: Hundredths, mixed: boolean): VatPart {
  const part = (category: VatCategory, reason: string | null): VatPart => ({
    category,
    percent: 0,
    base,
    vat: 0,
    reason,
  });
  if (mixed) return part('E', 'Undanþegið virðisaukaskatti');
  if (isFromAbroad(cost)) return part('O', 'Outside the scope of Icelandic VAT');
  if (SALARY_CODES.includes(cost.cost_code)) return part('O', 'Ekki virðisaukaskattsskylt');
  if (cost.cost_code === '2333') return part('Z', null);
  return part('E', 'Undanþegið virðisaukaskatti, 2. gr. laga nr. 50/1988');
}

function restFolded(cost: Cost): Hundredths {
  const iskHundredths =
    REST_FOLDED.always + (cost.vat_S > 0 ? REST_FOLDED.S : 0) + (cost.vat_AA > 0 ? REST_FOLDED.AA : 0);
  return Math.max(inDocumentCurrency(iskHundredths, cost), 1);
}

function inDocumentCurrency(isk: Hundredths, cost: Cost): Hundredths {
  return cost.currency === 'ISK' ? isk : rounded(isk / Number(cost.exchange_rate), cost);
}

function rounded(amount: number, cost: Cost): Hundredths {
  const unit = WHOLE_CURRENCIES.includes(cost.currency) ? 100 : 1;
  return Math.round(amount / unit) * unit;
}
