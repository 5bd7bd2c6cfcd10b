// How an origin says something: as a value with its English text, so that every reader is told in a language of theirs. An origin
// outside this repository may give the text alone; it is quoted then.
export { saidBy, told, type Words } from '../language/messages.js';
export { schemaText } from '../language/schema-texts.js';
