// The YAML parser's errors in the words of someone who edits settings, each with what would be right.
import type { YAMLError } from 'yaml';
import { message } from '../language/messages.js';
import { type ProblemWords, problemWords } from './problem-words.js';

const TEXTS: Partial<Record<YAMLError['code'], ProblemWords>> = {
  TAB_AS_INDENT: problemWords(message('TAB_INDENT'), message('INDENT_WITH_SPACES')),
  BAD_INDENT: problemWords(message('BAD_INDENT'), message('LINE_KEYS_UP')),
  MULTIPLE_DOCS: problemWords(message('MANY_DOCUMENTS'), message('ONE_TENANT_A_FILE')),
  BLOCK_AS_IMPLICIT_KEY: problemWords(message('VALUE_RUNS_ON'), message('A_LINE_EACH')),
  MULTILINE_IMPLICIT_KEY: problemWords(message('KEY_RUNS_ON'), message('ON_ONE_LINE')),
  BAD_SCALAR_START: problemWords(message('BAD_FIRST_SIGN'), message('PUT_VALUE_IN_QUOTES')),
  TAG_RESOLVE_FAILED: problemWords(message('YAML_TAG'), message('REMOVE_THE_TAG')),
};

export function describeYamlError(error: YAMLError, text: string): ProblemWords {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^\s:#]+/.exec(text.slice(error.pos[0]))?.[0] ?? '';
    return problemWords(message('KEY_TWICE', { key }), message('KEEP_ONE_KEY'));
  }
  if (error.code === 'MISSING_CHAR' && error.message.includes('quote'))
    return problemWords(message('QUOTE_NOT_CLOSED'), message('ADD_THE_QUOTE'));
  if (error.code === 'MISSING_CHAR' || error.message.startsWith('Flow '))
    return problemWords(message('BRACKET_NOT_CLOSED'), message('CLOSE_THE_BRACKET'));
  if (error.code === 'UNEXPECTED_TOKEN' && error.message.includes('alias'))
    return problemWords(message('STAR_FIRST'), message('QUOTE_THE_STAR'));
  return TEXTS[error.code] ?? problemWords(message('NO_YAML'), message('LOOK_FOR_A_SIGN'));
}
