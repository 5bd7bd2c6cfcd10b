// Finds in the SQL of a migration what takes something away from the program before it: such a step waits until no such program
// runs any more, and says so (`-- ledgerbridge: breaking`).
const RULES: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /\bDROP\s+(TABLE|VIEW|TYPE|SEQUENCE|SCHEMA)\b/i, what: 'drops what the program before may use' },
  {
    pattern: /^ALTER\s+TABLE\b.*\bDROP\s+(COLUMN\s+)?(?!NOT\s+NULL|DEFAULT|CONSTRAINT|EXPRESSION)"?\w/is,
    what: 'drops a column',
  },
  { pattern: /\bRENAME\b/i, what: 'renames' },
  { pattern: /\bALTER\s+(COLUMN\s+)?"?\w+"?\s+(SET\s+DATA\s+)?TYPE\b/i, what: 'changes a type' },
  { pattern: /\bSET\s+NOT\s+NULL\b/i, what: 'makes a column required' },
  { pattern: /\bALTER\s+(COLUMN\s+)?"?\w+"?\s+DROP\s+DEFAULT\b/i, what: 'takes a default away' },
  {
    pattern:
      /\bADD\s+(COLUMN\s+)?"?\w+"?\s+(?!CONSTRAINT)[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)(?<!DEFAULT[^,;]*)/i,
    what: 'adds a required column without a default',
  },
  { pattern: /^(DELETE\s+FROM|TRUNCATE)\b/i, what: 'removes rows' },
];

/** What may narrow an old table; fine on a table that this migration creates. */
const ON_OLD_TABLES: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /^CREATE\s+UNIQUE\s+INDEX\b.*?\bON\s+"?(\w+)"?/is, what: 'makes unique' },
  { pattern: /^ALTER\s+TABLE\s+"?(\w+)"?.*\bADD\s+CONSTRAINT\b/is, what: 'adds a constraint' },
  { pattern: /^CREATE\s+(?:CONSTRAINT\s+)?TRIGGER\s+"?\w+"?.*?\bON\s+"?(\w+)"?/is, what: 'adds a trigger' },
];

export function contractions(sql: string): string[] {
  const statements = statementsOf(sql);
  const all = statements.map(({ text }) => text).join(';\n');
  // What the program before does not know it leaves empty, and what is empty is never the same as something.
  const added = [...all.matchAll(/ADD COLUMN\s+"?(\w+)"?/gi)].map(([, name]) => name!);
  const isOnNew = (text: string) =>
    /^CREATE\s+UNIQUE/i.test(text) && added.some((name) => new RegExp(`\\b${name}\\b`).test(columnsIn(text)));
  const created = new Set([...all.matchAll(/CREATE TABLE "?(\w+)"?/gi)].map(([, name]) => name));
  return statements.flatMap(({ text, isExplained }) => {
    if (isExplained) return [];
    const gone = /^DROP\s+(TRIGGER|FUNCTION|INDEX)\s+"?(\w+)"?/i.exec(text);
    const isBack =
      gone && new RegExp(`CREATE\\s+(?:\\w+\\s+)*?${gone[1]!}\\s+"?${gone[2]!}"?`, 'i').test(all);
    if (gone && !isBack && gone[1]!.toUpperCase() !== 'INDEX')
      return [`drops ${gone[2]!}: ${text.slice(0, 80)}`];
    const narrowed = ON_OLD_TABLES.flatMap(({ pattern, what }) => {
      const table = pattern.exec(text)?.[1];
      const replaces = /^CREATE\s+(?:CONSTRAINT\s+)?TRIGGER\s+"?(\w+)"?/i.exec(text)?.[1];
      const isReplaced =
        replaces !== undefined && new RegExp(`DROP\\s+TRIGGER\\s+"?${replaces}"?`, 'i').test(all);
      return table === undefined || created.has(table) || isReplaced || isOnNew(text) ? [] : [what];
    });
    const broken = RULES.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what);
    return [...broken, ...narrowed].map((what) => `${what}: ${text.slice(0, 80)}`);
  });
}

function columnsIn(statement: string): string {
  return /\(([^)]*)\)/.exec(statement)?.[1] ?? '';
}

/** Bodies of functions are no statements of the migration; `-- ledgerbridge: expands` before a statement says that it was thought of. */
function statementsOf(sql: string): { text: string; isExplained: boolean }[] {
  return sql
    .replaceAll(/\$\$[\s\S]*?\$\$/g, "''")
    .split(';')
    .map((part) => ({
      text: part.replaceAll(/--.*$/gm, '').trim(),
      isExplained: /-- ledgerbridge: expands\b/.test(part),
    }))
    .filter(({ text }) => text !== '');
}
