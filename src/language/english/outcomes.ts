// What is known of a journal on its way, behind the reason for which it rests.
import type { TextTable } from '../table.js';

export const OUTCOMES = {
  /** What another program or a person wrote; it stays in their language. */
  AS_SAID: ({ text }: { text: string }) => text,
  MAY_BE_FORGOTTEN: () =>
    'The database was restored from a backup and may have forgotten that it was sent. Nothing was sent since.',
  POSTED_BEFORE_RESTORE: () => 'It was posted before the database was restored, and would not be posted now.',
  ERP_CANNOT_TELL: () => 'This ERP can neither replay nor look up.',
  ABSENCE_UNPROVEN: () => 'Nothing was found under the key, which does not prove that nothing arrived.',
  RESENT_TOO_OFTEN: () => 'Sent again as often as the bridge tries.',
  TAKEN_NOT_SHOWN: () => 'The ERP took it but does not show it.',
  POSTED_NOT_SHOWN: () => 'The ERP said posted, but could not show the entry.',
  KEY_REFUSED_NOT_SHOWN: ({ message }: { message: string }) =>
    `The ERP refuses the key but shows no entry: ${message}`,
  SEVERAL_ENTRIES: ({ entries }: { entries: string }) => `Entries: ${entries}.`,
  WORK_NEVER_ENDS: () => 'the work was begun but never finished: it takes too long, or it ends the process',
} satisfies TextTable;
