// "10-digit Icelandic national or company ID, no dash, validated with a mod-11 checksum" (Document 1, conventions).

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2] as const;

export function isKennitala(text: string): boolean {
  return /^\d{10}$/.test(text) && checkDigit(text.slice(0, 8)) === Number(text[8]);
}

/** Of the first eight digits; null when no digit fits and the number cannot exist. */
export function checkDigit(firstEight: string): number | null {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(firstEight[index]), 0);
  const rest = sum % 11;
  if (rest === 0) return 0;
  return rest === 1 ? null : 11 - rest;
}
