// The settings of a connection to Uniconta, what it can do by them, and everything that this adapter believes about Uniconta. `Verified`:
// read in Uniconta's pages for developers or seen in code of others who use it. `Assumed`: the pages are silent; the safest reading was
// taken.
import { z } from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import {
  deadlineMs,
  foreignDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';
import type { ErpCapabilities } from '../erp-adapter.js';
import { schemaText } from '../told.js';

/** Verified: HTTP Basic; the company stands before the user, and two zeros before the company. */
export const userName = (companyId: string, user: string): string => `00${companyId}/${user}`;

/** Verified: reading is `GET /odata/{company}/{entity}` with $filter, $orderby, $top, $skip, and answers `{"value": […]}`. */
export const PAGE_SIZE = 1_000;
export const PAGES_MAX = 1_000;

/** Verified: a list of records goes to `POST /api/Entities/InsertList/{entity}`. Assumed: it is taken whole or not at all. */
export const INSERT_LIST = 'InsertList';

/** Verified (code of others): transactions are searched by `ReferenceNumber`. Assumed: it is that of the journal's line. */
export const REFERENCE_FIELD = 'ReferenceNumber';

/** Assumed: twenty characters for a reference, sixty for a text; texts are cut rather than refused. */
export const REFERENCE_LENGTH_MAX = 20;
export const TEXT_LENGTH_MAX = 60;

/** Assumed: no limits are published. Few and slow is polite. */
export const CONCURRENCY = 2;
export const REQUESTS_PER_SECOND = 2;

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

export function capabilitiesOf(configuration: UnicontaConfiguration): ErpCapabilities {
  const { customers, suppliers } = configuration.subledger;
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 2_000,
    finality: 'draft',
    atomicPost: true,
    readBack: 'lines',
    attachments: false,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: configuration.foreignDocuments === 'in-isk' ? 'in-isk' : 'none',
    subledger: customers.length + suppliers.length > 0,
    vatMode: 'explicit-lines',
    reverse: false,
    keyLengthMax: REFERENCE_LENGTH_MAX,
    concurrency: CONCURRENCY,
    requestsPerSecond: REQUESTS_PER_SECOND,
  };
}
