// Dimensions from texts on the document. A dimension with a value table takes only what the table knows.
import { message } from '../../language/messages.js';
import { stop, type Stop, because, type Because } from './outcome.js';
import { plainKennitala } from '../../domain/kennitala.js';
import { entryOf, type RuleBook } from './rules.js';

export interface ChosenDimensions {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly because: readonly Because[];
}

/** `texts` by source field, `section` says where its wiring stands in the rules. */
export function chooseDimensions(
  texts: Readonly<Record<string, string>>,
  section: 'invoice' | 'cost',
  book: RuleBook,
  party: readonly string[] = [],
): ChosenDimensions | Stop {
  const ofParty = tableDimensions(section === 'invoice' ? 'byCustomer' : 'bySupplier', party, book);
  // What is said of the customer or supplier is the more certain: people type the texts.
  const chosen = new Map(Object.entries(ofParty.dimensions));
  const reasons: Because[] = [...ofParty.because];
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

export function itemDimensions(itemNumber: string, book: RuleBook): ChosenDimensions {
  return tableDimensions('byItem', [itemNumber], book);
}

const NONE: ChosenDimensions = { dimensions: {}, because: [] };

/** `keys`: the names by which the tables may know it, the first that one knows decides. */
function tableDimensions(
  table: 'byCustomer' | 'byItem' | 'bySupplier',
  keys: readonly string[],
  { rules }: RuleBook,
): ChosenDimensions {
  const tables = rules.dimensions[table];
  if (tables === undefined) return NONE;
  const dimensions: Record<string, string> = {};
  const reasons: Because[] = [];
  for (const [name, values] of Object.entries(tables)) {
    const key =
      keys.find((one) => one !== '' && entryOf(values, one) !== undefined) ??
      (table === 'byItem'
        ? undefined
        : Object.keys(values).find((one) => keys.includes(plainKennitala(one))));
    const value = key === undefined ? undefined : entryOf(values, key);
    if (key === undefined || value === undefined) continue;
    dimensions[name] = value;
    const rule = `dimensions.${table}.${name}.${key}`;
    reasons.push(because('dimension', `${name} = ${value}`, rule, message('TABLE_KNOWS', { key })));
  }
  return { dimensions, because: reasons };
}
