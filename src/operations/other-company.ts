// The wrong company: documents of one booked into the books of another are wrong in every line, and nothing else shows it.
import type { ErpHealth, Finding } from '../erp/erp-adapter.js';
import { message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';

type Healthy = Extract<ErpHealth, { outcome: 'healthy' }>;

/** The code of its finding: a plan with it is confirmed only when that is meant. */
export const OTHER_COMPANY = 'OTHER_COMPANY';

/** null: they are the same, or one of the two does not say. */
export function otherCompany(
  { company, registrationNo }: Healthy,
  sourceAccount: string,
  language: Language = 'en',
): Finding | null {
  const [books, documents] = [digitsOf(registrationNo ?? ''), digitsOf(sourceAccount)];
  if (books === '' || documents === '' || books === documents) return null;
  const said = message(OTHER_COMPANY, { company, books, documents });
  return {
    severity: 'error',
    message: say(language, said),
    said,
    remedy: say(language, message('CORRECT_THE_COMPANY')),
  };
}

/** Ten digits, however they are written; what is no kennitala is not compared. */
function digitsOf(number: string): string {
  const digits = number.replaceAll(/\D/g, '');
  return digits.length === 10 ? digits : '';
}
