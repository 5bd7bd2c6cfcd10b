// The written description of the bookkeeping of one company, generated from what is in force: connections, schedule, every rule,
// who may do what, what happens in doubt.
import type { Language } from '../../language/say.js';
import type { TenantContext } from '../../sync/tenant-context.js';
import type { Tenant } from '../../tenants/tenant.js';
import { CLOSES_AFTER_HOURS } from '../../pipeline/mapping/rule-schemas.js';
import type { TenantRules } from '../../pipeline/mapping/rules.js';
import { type Words, WORDS } from './words.js';
import type { TenantName } from '../../domain/ids.js';
import { type Act, checkedAct } from '../act.js';
import type { ConnectedTenants } from '../deps.js';
import { unknownTenant } from '../known-tenant.js';

export function describeBookkeeping(
  language: Language,
  tenant: Tenant,
  { rules, erp }: Pick<TenantContext, 'rules' | 'erp'>,
): string {
  const words = WORDS[language];
  const { source, schedule, originals } = tenant;
  const signIn = source.auth.type === 'oauth' ? 'OAuth' : 'API key';
  const sections = [
    [`# ${words.title(tenant.title)}`, words.law],
    [
      `## ${words.connections}`,
      words.source(source.environment, source.baseUrl, signIn),
      words.erp(tenant.erp.adapter, erp.ledger),
      words.cutOver(tenant.cutOver),
      words.schedule(schedule.cron, schedule.timeZone),
      ...(tenant.paused ? [words.paused] : []),
    ],
    [
      `## ${words.way}`,
      ...[...words.steps, ...together(rules, words)].map((step, index) => `${String(index + 1)}. ${step}`),
    ],
    [
      `## ${words.rules}`,
      words.rulesFrom(tenant.rulesVersion, tenant.rulesFiles.map(fileName).join(', ')),
      ...ruleLines(rules, words.nothing),
    ],
    [`## ${words.people}`, ...words.roles.map((role) => `- ${role}`)],
    [
      `## ${words.doubt}`,
      ...[...words.doubts, words.lookUp[erp.capabilities.lookUp]].map((line) => `- ${line}`),
    ],
    [
      `## ${words.originals}`,
      originals.keep ? words.kept(originals.attach, originals.retentionYears) : words.notKept,
      ...(originals.keep && originals.beforeAcknowledging ? [words.toldAfterwards] : []),
    ],
  ];
  return asMarkdown(`${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`);
}

/** A name or a rule is text, also where a viewer of Markdown would take it for HTML. */
function asMarkdown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The path on this machine is nobody's business. */
function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Every leaf with its path, so that no rule can be left out. */
function ruleLines(value: unknown, nothing: string, path: readonly string[] = []): string[] {
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return [`- ${path.join(' › ')}: ${nothing}`];
    return entries.flatMap(([key, inner]) => ruleLines(inner, nothing, [...path, key]));
  }
  return [`- ${path.join(' › ')}: ${String(value)}`];
}

/** What a reader of both needs: the lines that went, and those that came. */
export function differenceOf(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const [known, now] = [new Set(old), new Set(fresh)];
  return [
    ...old.filter((line) => line !== '' && !now.has(line)).map((line) => `- ${line}`),
    ...fresh.filter((line) => line !== '' && !known.has(line)).map((line) => `+ ${line}`),
  ];
}

function together({ summary }: TenantRules, words: Words): string[] {
  const kinds = (['invoices', 'costs'] as const).filter((kind) => summary?.[kind] === 'daily');
  return kinds.length === 0 ? [] : [words.together(kinds, summary?.closesAfterHours ?? CLOSES_AFTER_HOURS)];
}

// Keeps descriptions in the audit: each that differs from the one before, whole, with who kept it and why.

export interface DescriptionRecords {
  /** The one kept last in this language; null: none. */
  last(tenant: TenantName, language: Language): Promise<string | null>;
  keep(tenant: TenantName, language: Language, text: string, act: Act): Promise<void>;
}

export interface Descriptions {
  text(tenant: TenantName, language: Language): Promise<string>;
  keep(
    tenant: TenantName,
    language: Language,
    act: Act,
  ): Promise<{ readonly kept: boolean; readonly changes: readonly string[] }>;
}

export function createDescriptions(records: DescriptionRecords, connections: ConnectedTenants): Descriptions {
  const text = async (name: string, language: Language) => {
    const tenant = connections.tenant(name);
    if (!tenant) throw unknownTenant(name, connections.names());
    return describeBookkeeping(language, tenant, await connections.get(name));
  };
  return {
    text,
    keep: async (name, language, act) => {
      const checked = checkedAct(act);
      const now = await text(name, language);
      const before = (await records.last(name, language)) ?? '';
      const changes = differenceOf(before, now);
      if (changes.length === 0) return { kept: false, changes };
      await records.keep(name, language, now, checked);
      return { kept: true, changes };
    },
  };
}
