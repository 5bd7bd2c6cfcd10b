import { z } from 'zod';
import { schemaText } from '../told.js';
import { secretReference } from '../../domain/secret-reference.js';
import {
  deadlineMs,
  foreignDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';

export const DIMENSION_FIELDS = [
  'Dimension1',
  'Dimension2',
  'Dimension3',
  'Dimension4',
  'Dimension5',
] as const;
export type DimensionField = (typeof DIMENSION_FIELDS)[number];

export const unicontaConfiguration = z.strictObject({
  companyId: z
    .string()
    .regex(/^\d{1,9}$/, schemaText('COMPANY_NUMBER_UNFIT'))
    .describe('Number of the company in Uniconta.'),
  company: kennitala.describe('Kennitala of the company whose books these are.'),
  user: z.string().min(1).describe('Log-in name of the user that books.'),
  password: secretReference.describe('Password of that user.'),
  journal: z
    .string()
    .min(1)
    .default('EINV')
    .describe('Daily journal that lines are put into; people in Uniconta post it.'),
  dimensions: z
    .record(z.string(), z.enum(DIMENSION_FIELDS))
    .default({})
    .describe('Dimension in the rules → Dimension1 to Dimension5 in Uniconta.'),
  subledger,
  partners,
  customerGroup: z.string().min(1).optional().describe('Group of customers that are created.'),
  supplierGroup: z.string().min(1).optional().describe('Group of suppliers that are created.'),
  foreignDocuments,
  baseUrl: serviceUrl.default('https://odata.uniconta.com'),
  deadlineMs,
});

export type UnicontaConfiguration = z.infer<typeof unicontaConfiguration>;
