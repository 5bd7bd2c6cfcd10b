// The shape of a tenant file. Strict: an unknown key is a problem. The ERP adapter's settings and the rules are checked
// by the rooms that own them (see check-erp.ts and rules-layers.ts); here they only have their place.
import { validate as isCron } from 'node-cron';
import * as z from 'zod';
import { RETENTION_YEARS } from '../domain/original.js';
import { message } from '../language/messages.js';
import { schemaText } from '../language/schema-texts.js';
import { lacking, needsVatGroups, type OriginSettings } from '../origins/origin-settings.js';
import { checkTimeZone } from './check-time-zone.js';
import { tenantNotifications } from './notification-schema.js';
import { saidIssue } from './problem-words.js';
import { tenantOutgoing as outgoing } from './outgoing-schema.js';
import { tenantSource } from './source-schema.js';
import { FOUR_EYES_ACTS } from './tenant.js';

const TENANT_NAME = /^[a-z][a-z0-9-]{0,39}$/;

export const tenantName = z
  .string()
  .regex(TENANT_NAME, schemaText('NO_TENANT_NAME'))
  .describe('Short name, unique and never changed: 1 to 40 of a–z, 0–9 and "-", a letter first.');

const schedule = z
  .strictObject({
    cron: z
      .string()
      .superRefine((cron, context) => {
        if (isCron(cron)) return;
        context.addIssue(saidIssue(message('NO_CRON', { cron }), message('WRITE_CRON')));
      })
      .default('*/5 * * * *')
      .describe("When to sweep, as cron fields; '*/5 * * * *' unless given."),
    timeZone: z
      .string()
      .superRefine(checkTimeZone)
      .default('Atlantic/Reykjavik')
      .describe('IANA time zone of the cron fields; Atlantic/Reykjavik unless given.'),
  })
  .prefault({})
  .describe('When the tenant is swept.');

const rate = z.number().positive().max(100_000);

const limits = z
  .strictObject({
    source: z
      .strictObject({
        requestsPerSecond: rate
          .default(20)
          .describe(
            'Requests a second to the invoicing service; 20 unless given. A document takes about four.',
          ),
        concurrency: z.int().min(1).max(64).default(4).describe('Requests at once; 4 unless given.'),
      })
      .prefault({}),
    erp: z
      .strictObject({
        postingsPerSecond: rate
          .nullable()
          .default(null)
          .describe('Postings a second into the ERP; what the adapter allows unless given.'),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('How hard the bridge may push.');

const originals = z
  .strictObject({
    keep: z
      .boolean()
      .default(true)
      .describe('Fetch PDFs, receipts and e-invoices of what was posted and keep them; true unless given.'),
    attach: z
      .boolean()
      .default(true)
      .describe('Attach them to the entry where the ERP takes files; true unless given.'),
    perSecond: z
      .number()
      .positive()
      .max(100)
      .default(4)
      .describe('Files fetched or attached a second; 4 unless given.'),
    maxMegabytes: z
      .int()
      .min(1)
      .max(100)
      .default(25)
      .describe('A larger file is not taken but shown to a person; 25 unless given.'),
    retentionYears: z
      .int()
      .min(RETENTION_YEARS)
      .max(100)
      .default(RETENTION_YEARS)
      .describe(
        'How many years from the end of its year an original stays in the store before `originals expire` may remove it; 7 unless given, which is the least that the law allows.',
      ),
    beforeAcknowledging: z
      .boolean()
      .default(false)
      .describe(
        'true: the invoicing service hears of the posting only when the originals are at the entry, kept, or known not to exist; false unless given.',
      ),
  })
  .prefault({})
  .describe('The originals of documents: PDFs, receipts, e-invoices.');

export const tenantFile = z
  .strictObject({
    name: tenantName,
    title: z.string().min(1).max(100).describe('The company, as people call it.'),
    source: tenantSource,
    cutOver: z.iso
      .date()
      .nullable()
      .default(null)
      .describe(
        'First issue date (YYYY-MM-DD) that the bridge books; without it the tenant connects but posts nothing.',
      ),
    schedule,
    erp: z
      .strictObject({
        adapter: z.string().describe('Name of an ERP adapter.'),
        settings: z.unknown().optional().describe("The adapter's own settings."),
      })
      .describe('Where the books are: adapter and settings.'),
    rules: z
      .looseObject({
        extends: z
          .array(z.string().min(1).max(300))
          .max(10)
          .default(['default'])
          .describe('Rules to start from: bundled names or relative files; later ones win.'),
      })
      .prefault({})
      .describe('Mapping rules: what differs from the rules it extends.'),
    limits,
    weight: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe("Share of the workers' time relative to other tenants; 1 unless given."),
    notifications: tenantNotifications,
    originals,
    outgoing,
    fourEyes: z
      .array(z.enum(FOUR_EYES_ACTS))
      .max(FOUR_EYES_ACTS.length)
      .default([])
      .describe(
        'Acts that two people must agree on: `plan` (confirming it), `reversal`, `surely-absent` (replaying what may have been sent).',
      ),
    paused: z.boolean().default(false).describe('true: nothing is swept or posted.'),
  })
  .superRefine(({ erp, outgoing: given }, context) => {
    for (const [index, origin] of (given?.origins ?? []).entries()) {
      if (origin.type !== 'erp') continue;
      const needs = needsVatGroups(erp.adapter, origin.hands);
      if (needs === Object.keys(origin.vatGroups).length > 0) continue;
      const said = needs
        ? ([message('ITEMS_WITHOUT_VAT_GROUPS'), message('NAME_VAT_GROUPS')] as const)
        : ([message('VAT_GROUPS_UNUSED', { adapter: erp.adapter }), message('TAKE_OUT_VAT_GROUPS')] as const);
      context.addIssue(saidIssue(...said, ['outgoing', 'origins', index, 'vatGroups']));
    }
  })
  .superRefine(({ erp, outgoing: given }, context) => {
    for (const [index, origin] of (given?.origins ?? []).entries()) {
      const lacks = origin.type === 'erp' ? lacking(erp.adapter, origin.hands) : [];
      if (lacks.length === 0) continue;
      const what = message('ERP_NO_ORIGIN', { adapter: erp.adapter, lacks: lacks.join(', ') });
      const path = ['outgoing', 'origins', index, 'hands'];
      context.addIssue(saidIssue(what, message('TAKE_OUT_OF_HANDS'), path));
    }
  })
  .superRefine(({ source: { auth }, outgoing: given }, context) => {
    if (auth.type === 'credentials' && auth.surface !== 'agent') return;
    for (const [index, origin] of (given?.origins ?? []).entries())
      for (const key of patternsIn(origin)) {
        const path = ['outgoing', 'origins', index, key];
        context.addIssue(
          saidIssue(message('FILES_BY_CREDENTIALS'), message('TAKE_FILES_OUT', { key }), path),
        );
      }
  })
  .describe('One tenant of ledgerbridge.');

/** Where an origin says which files go. */
function patternsIn(origin: OriginSettings): ('files' | 'embedded')[] {
  if (origin.type === 'erp' && origin.files.length > 0) return ['files'];
  return origin.type === 'folder' && origin.embedded.length > 0 ? ['embedded'] : [];
}

export type TenantFile = z.output<typeof tenantFile>;
