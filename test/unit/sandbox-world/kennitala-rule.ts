// The public rule of the kennitala, written here a second time: the sandbox's own arithmetic must not judge itself.
const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

export function isValidKennitala(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const digits = Array.from(text, Number);
  const remainder = WEIGHTS.reduce((sum, weight, index) => sum + weight * digits[index]!, 0) % 11;
  const day = Number(text.slice(0, 2)) % 40;
  const month = Number(text.slice(2, 4));
  const dateExists = day >= 1 && day <= 31 && month >= 1 && month <= 12;
  return dateExists && (11 - remainder) % 11 === digits[8] && ['8', '9', '0'].includes(text[9]!);
}

/** Companies: day + 40. */
export function isCompany(kennitala: string): boolean {
  return Number(kennitala.slice(0, 2)) > 40;
}
