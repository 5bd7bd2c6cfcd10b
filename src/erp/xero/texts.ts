// What is said of Xero alone, in both languages.
import { quoted, type TextTable, type Translated } from '../texts.js';

export const XERO_ENGLISH = {
  CONTACT_NOT_READ: () => 'Xero booked the document, but its contact could not be read back.',
  ACCOUNT_NOT_FOR_JOURNALS: ({ account, name }: { account: string; name: string }) =>
    `Xero's manual journals refuse account ${account} (${name}). Make a clearing account and name it under \`clearingAccounts\`.`,
  ACCOUNT_TAKES_NO_PAYMENTS: ({ account }: { account: string }) =>
    `Account ${account} takes no payments in Xero, so what is paid cannot be matched with its invoice.`,
  VAT_CODE_WITHOUT_RATE: ({ vatCode }: { vatCode: string }) =>
    `Xero has no active tax rate of the type ${vatCode}.`,
  TOO_MANY_DIMENSIONS: ({ count, most }: { count: number; most: number }) =>
    `A line has ${count} dimensions; Xero takes ${most}.`,
  CONTACT_WITHOUT_NUMBER: ({ name, kennitala }: { name: string; kennitala: string }) =>
    `Xero has a contact named ${name} without a number, and people share names. Write the kennitala ${kennitala} as its tax number, or rename it.`,
  OPENS_OTHER_XERO: ({ company, numbers, wanted }: { company: string; numbers: string; wanted: string }) =>
    `The connection opens the books of ${company} (${numbers}), not of ${wanted}. If ${numbers} is its VAT number, name it under \`taxNumber\`.`,
  OPENS_UNNUMBERED_XERO: ({ company, wanted }: { company: string; wanted: string }) =>
    `The connection opens the books of ${company}, which show no number. Write the kennitala ${wanted} as Tax ID number under Settings, Organisation details, in Xero.`,
  XERO_REFUSED: ({ answer }: { answer: string }) =>
    `Xero refused the connection: ${answer}. Check the client, its scopes and the tenant id.`,
  XERO_HOLDS_EARLIER: () => 'Xero still holds an earlier version of this document under its key.',
} satisfies TextTable;

export const XERO_ICELANDIC = {
  CONTACT_NOT_READ: () => 'Xero bókaði skjalið en ekki tókst að lesa tengilið þess aftur.',
  ACCOUNT_NOT_FOR_JOURNALS: ({ account, name }) =>
    `Dagbókarfærslur í Xero hafna lyklinum ${account} (${name}). Stofnaðu millireikning og nefndu hann undir \`clearingAccounts\`.`,
  ACCOUNT_TAKES_NO_PAYMENTS: ({ account }) =>
    `Lykillinn ${account} tekur ekki við greiðslum í Xero, svo ekki er hægt að jafna greiðslu við reikning sinn.`,
  VAT_CODE_WITHOUT_RATE: ({ vatCode }) => `Xero hefur ekkert virkt skatthlutfall af tegundinni ${vatCode}.`,
  TOO_MANY_DIMENSIONS: ({ count, most }) => `Lína hefur ${count} víddir; Xero tekur við ${most}.`,
  CONTACT_WITHOUT_NUMBER: ({ name, kennitala }) =>
    `Xero hefur tengilið með nafninu ${name} án númers, og menn eiga sér nafna. Skráðu kennitöluna ${kennitala} sem skattnúmer hans, eða breyttu nafninu.`,
  OPENS_OTHER_XERO: ({ company, numbers, wanted }) =>
    `Tengingin opnar bækur ${company} (${numbers}), ekki ${wanted}. Ef ${numbers} er VSK-númer félagsins, nefndu það undir \`taxNumber\`.`,
  OPENS_UNNUMBERED_XERO: ({ company, wanted }) =>
    `Tengingin opnar bækur ${company}, sem sýna ekkert númer. Skráðu kennitöluna ${wanted} sem „Tax ID number“ undir „Settings, Organisation details“ í Xero.`,
  XERO_REFUSED: ({ answer }) =>
    `Xero hafnaði tengingunni: ${quoted(answer)}. Athugaðu biðlarann, heimildir hans og auðkenni félagsins.`,
  XERO_HOLDS_EARLIER: () => 'Xero geymir enn eldri útgáfu af þessu skjali undir lykli þess.',
} satisfies Translated<typeof XERO_ENGLISH>;
