import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import {
  deadlineMs,
  foreignDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';
import { JOURNAL_CODE_LENGTH_MAX } from './assumptions.js';

export const dkPlusConfiguration = z.strictObject({
  baseUrl: serviceUrl.default('https://api.dkplus.is/api/v1').describe('Where dkPlus is served.'),
  token: secretReference.describe('The API token that dkPlus shows under its settings (a GUID).'),
  company: kennitala.describe('Kennitala of the company whose books these are; another company is refused.'),
  journalCode: z
    .string()
    .min(1)
    .max(JOURNAL_CODE_LENGTH_MAX, `must have at most ${JOURNAL_CODE_LENGTH_MAX} characters`)
    .default('EINV')
    .describe('Code of the journal that entries are booked through.'),
  dim1: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim1.'),
  dim2: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim2.'),
  dim3: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim3.'),
  subledger,
  partners,
  customerGroup: z.string().min(1).optional().describe('dk customer group of customers that are created.'),
  foreignDocuments,
  deadlineMs,
});

export type DkPlusConfiguration = z.infer<typeof dkPlusConfiguration>;
