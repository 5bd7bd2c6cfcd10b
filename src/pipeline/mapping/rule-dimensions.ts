// Rules of dimensions: which text becomes which, and what is said of a customer, a supplier or an item.
import * as z from 'zod';

export const INVOICE_DIMENSION_FIELDS = ['cost_provide', 'booking', 'terms', 'description'] as const;
export const COST_DIMENSION_FIELDS = [
  'project_name',
  'description',
  'cost_code',
  'ubl_accounting_cost',
  'ubl_project',
  'ubl_buyer_reference',
  'ubl_order',
] as const;
const dimensionName = z.string().min(1);
const partyDimensions = z.record(dimensionName, z.record(z.string(), z.string())).optional();
export const dimensions = z.strictObject({
  _comment: z.string().optional(),
  invoice: z.partialRecord(z.enum(INVOICE_DIMENSION_FIELDS), dimensionName),
  cost: z.partialRecord(z.enum(COST_DIMENSION_FIELDS), dimensionName),
  values: z.record(z.string(), z.record(z.string(), z.string())),
  byCustomer: partyDimensions.describe('Dimension → kennitala or guid of the customer → value.'),
  byItem: partyDimensions.describe('Dimension → item number → value, on the lines of that item.'),
  bySupplier: partyDimensions.describe('Dimension → kennitala of the supplier → value.'),
  whenUnmapped: z
    .string()
    .min(1)
    .describe('park (or error): a text that a value table lacks parks the document. omit: it is left out.'),
});
