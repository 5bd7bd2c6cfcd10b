// Where a missing thing is written down: the file, the key in it, and YAML to start from.
import type { Params, Reason } from '../domain/message.js';
import type { FileEdit } from '../tenants/edit-tenant-file.js';
import type { InboxRow } from './views/problem.js';

export interface Mending {
  readonly where: InboxRow['mend']['where'];
  readonly path: string;
  readonly example: string;
  /** Where one value is all that is missing: what it is, and how it is written down. */
  readonly fill?: {
    readonly what: NonNullable<InboxRow['mend']['fill']>;
    readonly edit: (value: string) => FileEdit;
  };
}

const yaml = (...lines: readonly string[]) =>
  lines.map((line, depth) => '  '.repeat(depth) + line).join('\n');
const given = (params: Params, name: string) => {
  const value = params[name];
  return typeof value === 'string' ? value : '…';
};
const quoted = (params: Params, name: string) => JSON.stringify(given(params, name));

const inFile = (path: string, example: string, fill?: Mending['fill']): Mending => ({
  ...{ where: 'tenant-file', path, example },
  ...(fill && { fill }),
});
const costCode = (params: Params, rest: string, more: Readonly<Record<string, string>> = {}) =>
  inFile(
    'rules.cost.codes',
    yaml('rules:', 'cost:', 'codes:', `${quoted(params, 'costCode')}: { ${rest} }`),
    {
      what: 'account',
      edit: (account) => ({
        path: ['rules', 'cost', 'codes', given(params, 'costCode')],
        value: { account, ...more },
      }),
    },
  );
const text = (
  what: NonNullable<Mending['fill']>['what'],
  ...path: readonly string[]
): NonNullable<Mending['fill']> => ({
  what,
  edit: (value) => ({ path, value }),
});

/** Reasons that a line in the tenant file cures for every document that waits, or something in the ERP. */
const MENDED_BY_HAND: Readonly<Record<string, (reason: Reason) => Mending>> = {
  UNMAPPED_COST_CODE: ({ params }) => costCode(params, 'account: "…"'),
  COST_CODE_NEEDS_REVIEW: ({ params }) => costCode(params, 'account: "…", mode: post', { mode: 'post' }),
  UNMAPPED_HOW_PAID: ({ params }) =>
    inFile(
      'rules.cost.howPaid',
      yaml('rules:', 'cost:', 'howPaid:', `${quoted(params, 'howPaid')}: "…"`),
      text('account', 'rules', 'cost', 'howPaid', given(params, 'howPaid')),
    ),
  UNMAPPED_DIMENSION: ({ params }) =>
    inFile('rules.dimensions.values', dimensionValue(params), dimensionFill(params)),
  FX_RATE_MISSING: ({ params }) =>
    inFile(
      'rules.fx.table',
      yaml('rules:', 'fx:', 'table:', `${given(params, 'currency')}:`, `${given(params, 'date')}: "…"`),
      text('rate', 'rules', 'fx', 'table', given(params, 'currency'), given(params, 'date')),
    ),
  CANCELLED: () => inFile('rules.invoice.cancelled', yaml('rules:', 'invoice:', 'cancelled: skip')),
  RULES_INVALID: () => inFile('rules', 'rules: {}'),
  ERP_CONFIGURATION: lackingInErp,
};

function dimensionValue(params: Params, note = ''): string {
  const row = `${quoted(params, 'value')}: "…"${note}`;
  return yaml('rules:', 'dimensions:', 'values:', `${given(params, 'dimension')}:`, row);
}

function dimensionFill(params: Params): NonNullable<Mending['fill']> {
  return text('value', 'rules', 'dimensions', 'values', given(params, 'dimension'), given(params, 'value'));
}

/** What the ERP lacks: created there, or named otherwise here. */
function lackingInErp({ params, subject }: Reason): Mending {
  const inErpOr = (otherwise: string, path: string, example: string): Mending => ({
    where: 'either',
    path,
    example: `# ${subject}\n# Create it in the ERP, or ${otherwise}:\n${example}`,
  });
  switch (params['refusal']) {
    case 'unknown-dimension':
      if (params['value'] !== undefined) {
        const note = ' # the text on the document: a value that the ERP has';
        const written = inErpOr(
          'translate the text here',
          'rules.dimensions.values',
          dimensionValue(params, note),
        );
        return { ...written, ...{ fill: dimensionFill(params) } };
      }
      return params['dimension'] === undefined
        ? inErpOr('leave it out here', 'rules.dimensions', yaml('rules:', 'dimensions: {}'))
        : inErpOr(
            'name the one it has here',
            'erp.settings.dimensions',
            yaml(
              'erp:',
              'settings:',
              'dimensions:',
              `${given(params, 'dimension')}: "…" # its name in the ERP`,
            ),
          );
    case 'unknown-vat-code':
      return inErpOr('name another one here', 'rules.vat', yaml('rules:', 'vat: {}'));
    default:
      return inErpOr('name another one here', 'rules.accounts', yaml('rules:', 'accounts: {}'));
  }
}

/** null: no line in a file cures it. */
export function mendingOf(reason: Reason): Mending | null {
  return isMendedByHand(reason.code) ? (MENDED_BY_HAND[reason.code]?.(reason) ?? null) : null;
}

/** Neither the ERP nor time cures it, as another rate of the day or a new account there would. */
const CURED_ELSEWHERE = new Set(['ERP_CONFIGURATION', 'FX_RATE_MISSING']);

export function isMendedInFile(code: string): boolean {
  return isMendedByHand(code) && !CURED_ELSEWHERE.has(code);
}

/** Reasons with which a held document waits for a person. */
export const MENDED_CODES: readonly string[] = Object.keys(MENDED_BY_HAND);

/** Held documents with such a reason wait for a person, not for time. */
export function isMendedByHand(code: string): boolean {
  return Object.hasOwn(MENDED_BY_HAND, code);
}
