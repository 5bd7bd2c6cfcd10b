// What to do about something that a connection check found.
import type { TextTable } from '../table.js';

export const ADAPTER_REMEDIES = {
  CORRECT_IN_ERP: ({ system }: { system: string }) => `Correct it in ${system}, or the rules of the tenant.`,
  CREATE_IN_ERP: ({ system }: { system: string }) =>
    `Create or open it in ${system}, or correct the rules of the tenant.`,
  CORRECT_THE_CONNECTION: () => 'Correct the connection, then check again.',
  CORRECT_THE_TOKEN: () => 'Correct the token or the company in the tenant file.',
  CORRECT_ERP_CREDENTIALS: () =>
    'Correct the credentials of the ERP in the tenant file; its documents wait and nothing is marked.',
  WAIT_FOR_THE_ERP: () => 'Nothing: its documents wait, and go on by themselves when it answers.',
  NEW_API_KEY: ({ system }: { system: string }) =>
    `Make a new key in ${system}, store it, and correct \`apiKeyExpires\`.`,
  SWITCH_CURRENCY_ON: ({ system }: { system: string }) =>
    `Switch it on in ${system}, or let the rules book it in ISK.`,
  ENABLE_PAYMENTS: () => 'Tick "Enable payments to this account" on it in the chart of accounts.',
  GIVE_VAT_CODE_AN_ACCOUNT: ({ system }: { system: string }) =>
    `Give it to an account in ${system}, or correct the codes under rules.vat.`,
} satisfies TextTable;
