import type { ErrorTable } from './definition.js';

export const MAPPING_ERRORS = {
  MAPPING_RULES_INVALID: {
    disposition: 'stop',
    meaning: 'A rules file does not have the shape of tenant rules.',
    remedy: 'Correct the lines named in the message.',
  },
  MAPPING_RULES_UNREADABLE: {
    disposition: 'stop',
    meaning: 'A rules file cannot be read, or is neither JSON nor YAML.',
    remedy: 'Check the path and that the file is UTF-8 text in JSON or YAML.',
  },
  MAPPING_INPUT_UNREADABLE: {
    disposition: 'stop',
    meaning: 'The documents to map cannot be read.',
    remedy: 'Check the path; a batch is one JSON object a line.',
  },
  JOURNAL_INVALID: {
    disposition: 'stop',
    meaning: 'A journal breaks a rule that every journal must keep, such as balancing in ISK.',
    remedy: 'Do not post it. Map the document again, and report it if it happens again.',
  },
  JOURNAL_UNREADABLE: {
    disposition: 'stop',
    meaning: 'A stored journal does not have the shape of a journal.',
    remedy: 'Map the document again; if a backup was restored, check that it is of the same version.',
  },
} as const satisfies ErrorTable;
