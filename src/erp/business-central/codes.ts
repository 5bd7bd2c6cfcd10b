// Codes that lines carry and the company has to know: values of dimensions, VAT product posting groups.
import type { ReadAnswer } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import { rejected, told } from '../told.js';
import { type BcClient, literal } from './client.js';
import { bcDimension, bcTaxGroup } from './wire.js';

/** `CODE=VALUE` of these dimensions. */
export async function readDimensionValues(
  client: BcClient,
  codes: readonly string[],
): Promise<ReadAnswer<ReadonlySet<string>>> {
  if (codes.length === 0) return { outcome: 'ok', value: new Set() };
  const $filter = codes.map((code) => `code eq ${literal(code)}`).join(' or ');
  const answer = await client.list('dimensions', { $filter, $expand: 'dimensionValues' }, bcDimension);
  if (answer.outcome !== 'ok') return answer;
  const values = answer.value.flatMap((dimension) =>
    dimension.dimensionValues.map((value) => `${dimension.code}=${value.code}`),
  );
  return { outcome: 'ok', value: new Set(values) };
}

/** In upper case, as codes are kept. */
export async function readVatGroups(client: BcClient): Promise<ReadAnswer<ReadonlySet<string>>> {
  const answer = await client.list('taxGroups', {}, bcTaxGroup);
  if (answer.outcome !== 'ok') return answer;
  return { outcome: 'ok', value: new Set(answer.value.map(({ code }) => code.toUpperCase())) };
}

/** A group that a line would have and the company has not. */
export function groupProblem(vatCode: string | undefined, groups: ReadonlySet<string>): Rejected | null {
  if (vatCode === undefined || groups.has(vatCode.toUpperCase())) return null;
  const words = told('VAT_CODE_LACKING', { system: 'Business Central', vatCode });
  return rejected('unknown-vat-code', words, { vatCode });
}
