// Whether the connection opens the books of the company that the tenant is.
import type { Rejected } from '../erp-adapter.js';
import { rejected, told } from '../told.js';
import type { XeroConfiguration } from './config.js';
import type { XeroOrganisation } from './wire.js';

/**
 * Xero shows the registration number of companies in New Zealand, Australia and the United Kingdom only. Everywhere else
 * the tax number is the one that names the company, and in Iceland people write their kennitala or their VAT number there.
 */
export function otherCompany(
  organisation: XeroOrganisation,
  { company, taxNumber }: Pick<XeroConfiguration, 'company' | 'taxNumber'>,
): Rejected | null {
  const shown = [organisation.RegistrationNumber, organisation.TaxNumber].map(digitsOf);
  if (shown.includes(company)) return null;
  if (taxNumber !== undefined && digitsOf(organisation.TaxNumber) === digitsOf(taxNumber)) return null;
  const numbers = shown.filter((number) => number !== '').join(', ');
  const books = { company: organisation.Name, wanted: company };
  const words =
    numbers === '' ? told('OPENS_UNNUMBERED_XERO', books) : told('OPENS_OTHER_XERO', { ...books, numbers });
  return rejected('wrong-company', words);
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, '');
}
