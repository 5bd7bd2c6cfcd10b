// The Icelandic identification number. Since 2026-02-18 new personal numbers carry no check digit, so a failed checksum
// says little: it is a fact to show, never a reason to refuse.
export type KennitalaKind = 'person' | 'company' | 'system';

export type KennitalaReading =
  | {
      readonly format: true;
      readonly kind: KennitalaKind;
      readonly checksum: boolean;
      readonly digits: string;
    }
  | { readonly format: false; readonly kind: null; readonly checksum: false; readonly digits: null };

const UNREADABLE: KennitalaReading = { format: false, kind: null, checksum: false, digits: null };
/** U+2212 is a minus sign, which word processors put for a dash. */
const SPACES_AND_DASHES = /[\s\p{Dash_Punctuation}\u2212]/gu;
const SHAPE = /^\d{10}$/;
const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2] as const;
const COMPANY_DAY_OFFSET = 40;

/** Without spaces and dashes; text that is no ten digits, a guid for example, is only trimmed. */
export function plainKennitala(written: string): string {
  if (SHAPE.test(written)) return written;
  const bare = written.replace(SPACES_AND_DASHES, '');
  return SHAPE.test(bare) ? bare : written.trim();
}

export function readKennitala(written: string): KennitalaReading {
  const digits = plainKennitala(written);
  if (!SHAPE.test(digits)) return UNREADABLE;
  // System numbers are drawn, not computed: neither date nor check digit means anything in them.
  if (/^[89]/.test(digits)) return { format: true, kind: 'system', checksum: true, digits };
  const day = Number(digits.slice(0, 2));
  const month = Number(digits.slice(2, 4));
  const kind = day > COMPANY_DAY_OFFSET ? 'company' : 'person';
  const dayOfMonth = kind === 'company' ? day - COMPANY_DAY_OFFSET : day;
  // 31 is allowed in every month: companies were registered on 31 February.
  if (dayOfMonth < 1 || dayOfMonth > 31 || month < 1 || month > 12) return UNREADABLE;
  if (!'890'.includes(digits.charAt(9))) return UNREADABLE;
  return { format: true, kind, checksum: checkDigit(digits) === Number(digits.charAt(8)), digits };
}

/** Of the first eight digits; null when the number would not have been issued before 2026. */
export function checkDigit(digits: string): number | null {
  const weighted = WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits.charAt(index)), 0);
  const digit = 11 - (weighted % 11);
  if (digit === 11) return 0;
  return digit === 10 ? null : digit;
}
