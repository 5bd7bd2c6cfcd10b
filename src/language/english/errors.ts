// What an act or a page answers when it cannot do what was asked, with the code of the error beside it.
import { type Answer, answerText } from '../answers.js';
import type { Say, TextTable } from '../table.js';

export const ERRORS = {
  ID_UNKNOWN: ({ id }: { id: string }) => `No document has the id ${id}.`,
  REFERENCE_UNKNOWN: ({ reference }: { reference: string }) =>
    `No document has the id, guid, number, key or entry "${reference}".`,
  REFERENCE_AMBIGUOUS: ({ reference, ids }: { reference: string; ids: string }) =>
    `"${reference}" names more than one document. Use one of these ids: ${ids}.`,
  BEING_WORKED_ON: () => 'A worker has this document at this moment.',
  SAY_WHICH: () => 'Say which documents: ids, a cause, a tenant or states.',
  NOTHING_FITS: () => 'No document fits the choice.',
  NAME_DOCUMENTS: ({ most }: { most: number }) => `Name between 1 and ${most} documents.`,
  SAY_WHY: () => 'Say why, in 3 to 500 characters: it is kept in the audit.',
  SAY_WHO: () => 'Say who does it, in at most 100 characters.',
  ENTRY_NOT_FOUND: ({ reference }: { reference: string }) => `The ERP knows no entry "${reference}".`,
  ENTRY_AMBIGUOUS: ({ reference, count }: { reference: string; count: number }) =>
    `"${reference}" names ${count} entries in the ERP.`,
  ENTRY_WAS_REVERSED: ({ entry }: { entry: string }) => `Entry ${entry} was reversed in the ERP.`,
  ENTRY_IS_DRAFT: ({ entry }: { entry: string }) => `Entry ${entry} is only a draft in the ERP.`,
  OWN_ENTRY_STANDS: ({ entry }: { entry: string }) =>
    `Entry or draft ${entry} of this document stands in the ERP already: mark that one, or remove it there first.`,
  ENTRY_TAKEN: ({ entry, holder }: { entry: string; holder: string }) =>
    `Entry ${entry} stands for another document: ${holder}.`,
  ENTRY_IN_USE: ({ entry }: { entry: string }) =>
    `Another document is being marked with entry ${entry} at this moment.`,
  SOURCE_HAS_IT_AS: ({ outcome }: { outcome: string }) =>
    `The document is ${outcome} at the source, so it cannot be set to Posted.`,
  ERP_NOT_ASKED: ({ answer }: { answer: Answer }, say: Say) =>
    `The ERP could not be asked: ${answerText(answer, say)}`,
  REVERSAL_REFUSED: ({ answer }: { answer: Answer }, say: Say) =>
    `The ERP refused the reversal: ${answerText(answer, say)}`,
  REVERSAL_NOT_TAKEN: ({ answer }: { answer: Answer }, say: Say) =>
    `The ERP did not take the reversal: ${answerText(answer, say)}`,
  REVERSAL_NOT_KNOWN: ({ key }: { key: string }) =>
    `It is not known whether the ERP took the reversal ${key}. Nothing else was changed.`,
  NO_REVERSALS: () => 'This ERP takes no reversals from outside.',
  ENTRY_NOT_SHOWN: ({ entry, key }: { entry: string; key: string }) =>
    `The ERP does not show one posted entry ${entry} under key ${key}.`,
  ENTRIES_SHOWN: ({ key, entries }: { key: string; entries: string }) =>
    `The ERP shows several entries under key ${key}: ${entries}.`,
  ENTRY_SHOWN: ({ key }: { key: string }) =>
    `The ERP shows an entry under key ${key}. Replay it, then the bridge takes it up.`,
  TOO_LATE_TO_SEND: () => 'It came too late to be sent, so nothing was sent; ask again.',
  SENT_NOT_ON_RECORD: () => 'What was sent is not on record.',
  RUN_UNKNOWN: ({ id }: { id: string }) => `There is no run ${id}.`,
  INCIDENT_UNKNOWN: ({ id }: { id: string }) => `There is no open incident ${id}.`,
  TOKEN_UNKNOWN: ({ id }: { id: string }) => `There is no token ${id}, or it was revoked before.`,
  NO_SUCH_SALE: ({ sale }: { sale: string }) => `The service lists no sale ${sale.slice(0, 60)}.`,
  SALE_IS_NO_EVENT: ({ name, answer }: { name: string; answer: string }) =>
    `"${name}" is no event; only events have attendees. ${answer}`,
  GIVE_A_PERIOD: () => 'Give the period as two days, the first one first: 2026-01-01 2026-01-31.',
  NO_SUCH_TENANT: ({ name, near }: { name: string; near?: string }) =>
    `There is no tenant "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
  SIGN_IN_CROWDED: () => 'More passwords are being looked at than can be at once.',
  PASSWORD_SHORT: ({ least }: { least: number }) => `A password needs at least ${least} characters.`,
  PASSWORD_LONG: ({ most }: { most: number }) => `A password has at most ${most} characters.`,
  PASSWORD_GUESSED: () => 'The password is among the first that somebody would guess.',
  LOGIN_UNKNOWN: ({ login }: { login: string }) => `Nobody has the login ${login}.`,
  SYSTEM_USER_TAKEN: ({ name }: { name: string }) => `Another login is already the system user ${name}.`,
  SYSTEM_USER_SHAPE: () => 'The name of a system user has 1 to 60 characters without spaces and colons.',
  LOGIN_TAKEN: ({ login }: { login: string }) => `Somebody has the login ${login} already.`,
  LOGIN_SHAPE: () => 'A login has 2 to 60 letters, digits or . - _ @, and no spaces.',
  ADMIN_IS_LAST: ({ login }: { login: string }) => `${login} is the last admin.`,
  LOGIN_ELSEWHERE: ({ login }: { login: string }) => `${login} signs in elsewhere.`,
  FACTOR_IS_ON: () => 'A second factor is in use already.',
  FACTOR_NEEDS_KEY: () => 'There is no LEDGERBRIDGE_KEY to keep its secret with.',
  FACTOR_ELSEWHERE: () => 'You sign in elsewhere; your second factor is asked for there.',
  FILES_ARE_KEPT: () => 'Tenant files are not changed from the pages here.',
  NOTHING_FILLED_IN: () => 'Nothing was filled in.',
  SET_UP_ALREADY: () => 'Somebody has set the dashboard up already.',
  SET_UP_CODE_UNKNOWN: () => 'That is not a set-up code of this bridge, or it is too old.',
  ROLE_NEEDED: ({ role, company, has }: { role: string; company: string; has: string }) =>
    `This needs the role ${role} in ${company}; you have ${has} there.`,
  ALL_COMPANIES_CONCERNED: () => 'This concerns all companies, and you may see only some.',
  ADMIN_AGREES: () => 'Only an admin may agree to a plan.',
  ASKED_BY_YOURSELF: () => 'You asked for it yourself: somebody else has to agree.',
  PERSON_UNKNOWN: () =>
    'This company requires two people for it, and it is not known which person you are. The request is on the page Approvals: two people agree there, each with their own login. For the command line an admin declares who you are: ledgerbridge user system-user LOGIN NAME. A token made by an older version is replaced by a new one.',
  TWO_PEOPLE_WANTED: () => 'This tenant wants two people for it, and one has asked.',
  NO_SUCH_APPROVAL: ({ id }: { id: string }) => `Nobody waits for an agreement under ${id}.`,
  PLAN_WITH_ERRORS: ({ tenant, count }: { tenant: string; count: number }) =>
    `The plan of ${tenant} was not confirmed: ${count === 1 ? 'one thing in it is an error' : `${count} things in it are errors`}.`,
  PLAN_NOT_CONFIRMED: ({ tenant, answer }: { tenant: string; answer?: Answer }, say: Say) =>
    `The plan of ${tenant} was not confirmed, because the ERP could not be asked${answer === undefined ? '.' : `: ${answerText(answer, say)}`}`,
} satisfies TextTable;
