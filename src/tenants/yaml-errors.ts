// The YAML parser's errors in the words of someone who edits settings, each with what would be right.
import type { YAMLError } from 'yaml';

interface Described {
  readonly message: string;
  readonly remedy: string;
}

const TEXTS: Partial<Record<YAMLError['code'], Described>> = {
  TAB_AS_INDENT: {
    message: 'The line is indented with a tab.',
    remedy: 'Indent with spaces, two a level.',
  },
  BAD_INDENT: {
    message: 'The indentation does not fit the lines above.',
    remedy: 'Line the keys of one level up under each other, two spaces a level.',
  },
  MULTIPLE_DOCS: {
    message: 'The file holds more than one document (a line `---` in the middle).',
    remedy: 'Keep one tenant per file.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'A value runs on where a new key begins.',
    remedy: 'Put each `key: value` on a line of its own, and text that holds ": " in quotes.',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'A key runs over several lines, or a ":" is missing.',
    remedy: 'Write `key: value` on one line.',
  },
  BAD_SCALAR_START: {
    message: 'The value begins with a character that YAML keeps for itself.',
    remedy: 'Put the value in quotes.',
  },
  TAG_RESOLVE_FAILED: {
    message: 'The value carries a YAML tag (!…) that means nothing here.',
    remedy: 'Remove the tag, or put the value in quotes.',
  },
};

export function describeYamlError(error: YAMLError, text: string): Described {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^\s:#]+/.exec(text.slice(error.pos[0]))?.[0] ?? '';
    return { message: `The key "${key}" stands here twice.`, remedy: 'Keep one of the two.' };
  }
  if (error.code === 'MISSING_CHAR' && error.message.includes('quote')) {
    return { message: 'A quoted text is never closed.', remedy: 'Add the missing quote.' };
  }
  if (error.code === 'MISSING_CHAR' || error.message.startsWith('Flow ')) {
    return {
      message: 'A bracket is never closed, or a comma is missing.',
      remedy: 'Close the bracket, or write one item per line with "- ".',
    };
  }
  if (error.code === 'UNEXPECTED_TOKEN' && error.message.includes('alias')) {
    return {
      message: 'The value begins with a star, which YAML takes for an alias.',
      remedy: "Put it in quotes, for example cron: '*/5 * * * *'.",
    };
  }
  return (
    TEXTS[error.code] ?? {
      message: 'This is not valid YAML.',
      remedy: 'Look for a missing colon, quote or bracket on this line or the one above.',
    }
  );
}
