// Where a missing thing is written down: the file, the key in it, and YAML to start from.
import type { InboxRow } from './views/problem.js';

interface Mending {
  readonly where: InboxRow['mend']['where'];
  readonly path: string;
  readonly example: (subject: string) => string;
}

/** What a subject of the mapping names, without the words around it. */
const named = (subject: string) => /"([^"]*)"/.exec(subject)?.[1] ?? subject.split(' ').at(-1) ?? subject;
const yaml = (...lines: readonly string[]) =>
  lines.map((line, depth) => '  '.repeat(depth) + line).join('\n');
const quoted = (text: string) => JSON.stringify(text);

/** Reasons that a line in the tenant file cures for every document that waits. */
const MENDED_IN_FILE: Readonly<Record<string, Mending>> = {
  UNMAPPED_COST_CODE: {
    where: 'tenant-file',
    path: 'rules.cost.codes',
    example: (subject) => yaml('rules:', 'cost:', 'codes:', `${quoted(named(subject))}: { account: "…" }`),
  },
  COST_CODE_NEEDS_REVIEW: {
    where: 'tenant-file',
    path: 'rules.cost.codes',
    example: (subject) =>
      yaml('rules:', 'cost:', 'codes:', `${quoted(named(subject))}: { account: "…", mode: post }`),
  },
  UNMAPPED_HOW_PAID: {
    where: 'tenant-file',
    path: 'rules.cost.howPaid',
    example: (subject) => yaml('rules:', 'cost:', 'howPaid:', `${quoted(named(subject))}: "…"`),
  },
  UNMAPPED_DIMENSION: {
    where: 'tenant-file',
    path: 'rules.dimensions.values',
    example: (subject) => {
      const dimension = /^dimension (\S+),/.exec(subject)?.[1] ?? '…';
      return yaml('rules:', 'dimensions:', 'values:', `${dimension}:`, `${quoted(named(subject))}: "…"`);
    },
  },
  FX_RATE_MISSING: {
    where: 'tenant-file',
    path: 'rules.fx.table',
    example: (subject) => {
      const [, currency = '…', day = '…'] = /currency (\S+) on (\S+)/.exec(subject) ?? [];
      return yaml('rules:', 'fx:', 'table:', `${currency}:`, `${day}: "…"`);
    },
  },
  RULES_INVALID: { where: 'tenant-file', path: 'rules', example: () => 'rules: {}' },
};

const inErpOr = (subject: string, otherwise: string, ...lines: readonly string[]) =>
  `# ${subject}\n# Create it in the ERP, or ${otherwise}:\n${yaml(...lines)}`;

/** What the ERP lacks, by the kind of its refusal: created there, or named otherwise here. */
const LACKING_IN_ERP: Readonly<Record<string, (subject: string) => Mending>> = {
  'unknown-dimension': mendingOfDimension,
  'unknown-vat-code': () => ({
    where: 'either',
    path: 'rules.vat',
    example: (subject) => inErpOr(subject, 'name another one here', 'rules:', 'vat: {}'),
  }),
};

const OTHERWISE_LACKING: Mending = {
  where: 'either',
  path: 'rules.accounts',
  example: (subject) => inErpOr(subject, 'name another one here', 'rules:', 'accounts: {}'),
};

/** Each ERP says it in its own words; what they name is quoted, or stands where these sentences have it. */
function mendingOfDimension(message: string): Mending {
  const unwired = /^The dimension "?([^"\s]+)"? has no /.exec(message)?.[1];
  if (unwired !== undefined) {
    const example = (subject: string) =>
      `# ${subject}\n${yaml('erp:', 'settings:', 'dimensions:', `${unwired}: "…" # its name in the ERP`)}`;
    return { where: 'tenant-file', path: 'erp.settings.dimensions', example };
  }
  const value =
    /"([^"]*)"/.exec(message)?.[1] ?? / has no (?:analytic account )?(.+?) (?:in|for) /.exec(message)?.[1];
  const dimension =
    /(?:in|for) the dimension (\S+?)\.$/.exec(message)?.[1] ?? /" for (\S+?)\.$/.exec(message)?.[1] ?? '…';
  if (value === undefined)
    return {
      where: 'either',
      path: 'rules.dimensions',
      example: (subject) => inErpOr(subject, 'leave it out of the wiring here', 'rules:', 'dimensions: {}'),
    };
  const row = `${quoted(value)}: "…" # the text on the document: a value that the ERP has`;
  return {
    where: 'either',
    path: 'rules.dimensions.values',
    example: (subject) =>
      inErpOr(subject, 'translate the text here', 'rules:', 'dimensions:', 'values:', `${dimension}:`, row),
  };
}

/** `refusal` is the kind of the ERP's no, `subject` its message. null: no line in a file cures it. */
export function mendingOf(code: string, refusal: string, subject: string): Mending | null {
  if (code !== 'ERP_CONFIGURATION') return MENDED_IN_FILE[code] ?? null;
  return LACKING_IN_ERP[refusal]?.(subject) ?? OTHERWISE_LACKING;
}

/** Held documents with such a reason wait for a person, not for time. */
export function isMendedByHand(code: string): boolean {
  return mendingOf(code, '', '') !== null;
}
