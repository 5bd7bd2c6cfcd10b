// What is wrong with what was asked for, in our words.
import type { TextTable } from '../table.js';

export const REQUESTS = {
  TOO_MANY_FIT: () =>
    'Too many documents fit this text to name all of them. Write more of the name or number.',
  SEARCH_UNUSABLE: ({ where, problem }: { where: string; problem: string }) =>
    `The search cannot be used: ${where}: ${problem}`,
  NO_SUCH_PERIOD: ({ written }: { written: string }) =>
    `"${written}" is no period: write 2026-09..10, 2026-09, 2026 or 2026-09-01..2026-10-31.`,
  NO_FILE_OF_TENANT: ({ tenant }: { tenant: string }) => `There is no tenant file for ${tenant}.`,
  TOO_MANY_COMPANIES: ({ most }: { most: number }) => `Name at most ${most} companies.`,
  NO_SUCH_ROLE: ({ role, company }: { role: string; company: string }) =>
    `"${role}" is no role: write ${company}=viewer, ${company}=operator or ${company}=admin.`,
  NO_SUCH_DAY: ({ written }: { written: string }) => `"${written}" is not a day like 2026-01-31.`,
  TOKEN_NAME_UNFIT: () => 'Name the token after who uses it: 1 to 60 letters, digits, spaces, . _ -',
  TOKEN_LIFE_UNFIT: ({ most }: { most: number }) => `A token is valid for 1 to ${most} days.`,
  TOKEN_WITHOUT_COMPANY: () => 'Name at least one company, or none for all of them.',
  CHOOSE_BETWEEN: ({ most }: { most: number }) => `Name between 1 and ${most} documents.`,
  PERIOD_UNFIT: () => 'Give a month (2026-10), a year (2026), or two days, the first first.',
  STILL_SAYS: ({ status, answer }: { status: string; answer?: string }) =>
    `The source still says ${status}${answer === undefined ? '' : `: ${answer}`}.`,
  COST_GONE: ({ outcome }: { outcome: 'gone' | 'unreadable' }) => `The cost is ${outcome} at the source.`,
  HLEDGER_TAKES_JOURNALS: () => 'hledger takes journals; postings go as csv or json.',
  NO_SUCH_ACT: ({ act }: { act: string }) => `There is no act "${act}".`,
  FILE_CHANGED_MEANWHILE: ({ file }: { file: string }) => `${file} was changed meanwhile.`,
  FILE_SAVED_NOW: ({ file }: { file: string }) => `Somebody else saves ${file} at this moment.`,
  FILE_NOT_WRITABLE: ({ file, code }: { file: string; code: string }) =>
    `${file} cannot be written here (${code}).`,
  TENANT_NOT_LOADED: ({ name }: { name: string }) => `Tenant ${name} is not loaded here.`,
  NO_CURSOR_YET: ({ tenant, kind }: { tenant: string; kind: string }) =>
    `${tenant} has no cursor for ${kind}s yet: sweep it first.`,
} satisfies TextTable;
