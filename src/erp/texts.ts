// For the texts of one ERP, which are in its folder (`texts.ts`): the English table declares a code and its parameters, the Icelandic one
// does not compile while it lacks any of them. src/language/erp-texts.ts adds them to the tables that every process reads.
export { inside, named, quoted, within } from '../language/icelandic/systems.js';
export type { Message } from '../domain/message.js';
export type { Say, TextTable, Translated } from '../language/table.js';
