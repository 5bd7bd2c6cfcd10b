// Dimensions from texts on the document. A dimension with a value table takes only what the table knows.
import { message } from '../../language/messages.js';
import { stop, type Stop } from './outcome.js';
import { entryOf, type RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';

export interface ChosenDimensions {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly because: readonly Because[];
}

/** `texts` by source field, `section` says where its wiring stands in the rules. */
export function chooseDimensions(
  texts: Readonly<Record<string, string>>,
  section: 'invoice' | 'cost',
  book: RuleBook,
): ChosenDimensions | Stop {
  const chosen = new Map<string, string>();
  const reasons: Because[] = [];
  for (const [field, name] of Object.entries(book.rules.dimensions[section])) {
    const text = entryOf(texts, field)?.trim() ?? '';
    if (text === '' || chosen.has(name)) continue;
    const table = entryOf(book.rules.dimensions.values, name);
    const value = table === undefined ? text : entryOf(table, text);
    if (value !== undefined) {
      chosen.set(name, value);
      const rule =
        table === undefined ? `dimensions.${section}.${field}` : `dimensions.values.${name}.${text}`;
      reasons.push(because('dimension', `${name} = ${value}`, rule, message('FIELD_SAYS', { field, text })));
    } else if (book.parksUnmappedDimensions) {
      return stop('UNMAPPED_DIMENSION', { field, dimension: name, value: text });
    } else {
      const why = message('VALUE_UNKNOWN', { field, text });
      reasons.push(because('dimension', `${name} left out`, 'dimensions.whenUnmapped', why));
    }
  }
  return { dimensions: Object.fromEntries(chosen), because: reasons };
}
