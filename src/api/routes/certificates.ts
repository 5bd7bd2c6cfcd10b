// Certificates of periods, and the rehearsal of rules.
import * as z from 'zod';
import { vatPeriod } from '../../operations/vat/period.js';
import { certificate, rehearsal } from '../../operations/views/certificate.js';
import { isoDate, uuid } from '../../operations/views/common.js';
import { type Route, route, textRoute } from '../route.js';
import { byTenant, listed, ofTenant, why } from './fields.js';

const byCertificate = z.object({ id: uuid });
const RULES_CHARACTERS_MAX = 200_000;

export const CERTIFICATES: readonly Route[] = [
  route('post', '/tenants/{tenant}/close', {
    summary: 'Compare service, bridge and ERP over a period and write a signed certificate; books nothing',
    tag: 'Certificates',
    params: byTenant,
    body: z.strictObject({
      ...why,
      period: z.string().max(40).describe('2026-10, 2026-09..10, 2026 or 2026-10-01..2026-10-31.'),
    }),
    response: certificate,
    handle: ({ operations, params, body, act: by }) =>
      operations.closePeriod(params.tenant, vatPeriod(body.period), by(body)),
  }),
  route('get', '/certificates', {
    summary: 'Certificates of closed periods, the newest first, and whether each still says what is',
    tag: 'Certificates',
    query: ofTenant,
    response: listed(certificate),
    handle: ({ operations, query }) => operations.certificates(query.tenant),
  }),
  route('get', '/certificates/{id}', {
    summary: 'One certificate',
    tag: 'Certificates',
    params: byCertificate,
    response: certificate,
    handle: ({ operations, params }) => operations.certificate(params.id),
  }),
  textRoute('/certificates/{id}/pdf', {
    summary: 'One certificate on paper',
    tag: 'Certificates',
    params: byCertificate,
    query: z.strictObject({ lang: z.enum(['is', 'en']).default('is') }),
    exports: 'certificate',
    textTypes: ['application/pdf'],
    handle: ({ operations, params: { id }, query: { lang } }) => ({
      type: 'application/pdf',
      fileName: `certificate-${id.slice(0, 8)}-${lang}.pdf`,
      lines: only(() => operations.certificatePdf(id, lang)),
    }),
  }),
  route('post', '/tenants/{tenant}/rehearse', {
    summary: 'Which journals would change under other rules, or under this version; nothing is written',
    tag: 'Certificates',
    params: byTenant,
    body: z.strictObject({
      rules: z
        .string()
        .max(RULES_CHARACTERS_MAX)
        .optional()
        .describe(
          'A tenant file or rules, as YAML text; left out: those in force, against the journals on record.',
        ),
      since: isoDate.optional().describe('Only documents issued on this day or later.'),
    }),
    response: rehearsal,
    handle: async ({ operations, params, body }) => {
      const { accounts, documents, ...made } = await operations.rehearse(params.tenant, body);
      return {
        ...made,
        accounts: [...accounts],
        documents: documents.map((one) => ({ ...one, accounts: [...one.accounts] })),
      };
    },
  }),
];

async function* only(read: () => Promise<Buffer>): AsyncGenerator<Uint8Array> {
  yield await read();
}
