// What is said of Tryton alone, in both languages.
import { named, type TextTable, type Translated } from '../texts.js';

export const TRYTON_ENGLISH = {
  NO_MOVE_TO_REVERSE: ({ id }: { id: string }) => `Tryton has no move ${id} to reverse.`,
  ACCOUNT_WITHOUT_TYPE: ({ account }: { account: string }) =>
    `Account ${account} has no type in Tryton, so nothing can be booked on it.`,
  ACCOUNT_NEEDS_PARTY: ({ account }: { account: string }) =>
    `Account ${account} needs a party, and the document names none.`,
  ACCOUNT_TAKES_NO_PARTY: ({ account }: { account: string }) =>
    `Account ${account} takes no party. Tick "Party Required" on it in Tryton.`,
  PERIOD_LACKING: () => 'Tryton has no period for it. Create the fiscal year and its periods there.',
  COMPANY_AMONG: ({ company, names }: { company: string; names: string }) =>
    `This Tryton has no company ${company} that the user may see; it has: ${names}.`,
  ANALYTIC_ROOT_LACKING: ({ root }: { root: string }) =>
    `Tryton has no analytic root account ${root}. Create it there, or correct the configuration of the tenant.`,
  SALES_INVOICED_TOO: ({ method }: { method: string }) =>
    `Tryton makes an invoice of each sale by itself (sales configuration, invoice method \`${method}\`), and \`orders: invoice\` makes one at the service: a sale would be invoiced twice. Set the method to manual there, also in sales that wait, or let orders become orders here.`,
  TAX_NAME_LACKING: ({ system, name, vatCode }: { system: string; name: string; vatCode: string }) =>
    `${system} has no tax named ${name}, which \`taxes\` names for the VAT code ${vatCode}.`,
  TAX_NAME_AMBIGUOUS: ({ system, name, vatCode }: { system: string; name: string; vatCode: string }) =>
    `${system} has more than one tax named ${name}, which \`taxes\` names for the VAT code ${vatCode}. Rename all but one.`,
  TAX_ON_OTHER_ACCOUNT: ({ name, account, vatCode }: { name: string; account: string; vatCode: string }) =>
    `The tax ${name} in Tryton does not go to account ${account}, where the rules book VAT of the code ${vatCode}. Correct its accounts there, or the rules.`,
  TRYTON_REFUSED: ({ status }: { status: number }) =>
    `Tryton refused the user or the password, or its rights (${status}).`,
  TRYTON_STATUS: ({ status }: { status: number }) =>
    `Tryton, or something in front of it, answered ${status}.`,
  TRYTON_WRONG_ADDRESS: ({ status }: { status: number }) =>
    `Tryton answered ${status}: check URL and database.`,
  TRYTON_NO_DATABASE: ({ database }: { database: string }) => `This Tryton has no database ${database}.`,
  TRYTON_FAILED_INSIDE: ({ name }: { name: string }) => `Tryton failed inside: ${name}`,
} satisfies TextTable;

export const TRYTON_ICELANDIC = {
  NO_MOVE_TO_REVERSE: ({ id }) => `Tryton hefur enga færslu ${id} að bakfæra.`,
  ACCOUNT_WITHOUT_TYPE: ({ account }) =>
    `Lykillinn ${account} hefur enga tegund í Tryton, svo ekkert er hægt að bóka á hann.`,
  ACCOUNT_NEEDS_PARTY: ({ account }) => `Lykillinn ${account} þarf mótaðila, en skjalið nefnir engan.`,
  ACCOUNT_TAKES_NO_PARTY: ({ account }) =>
    `Lykillinn ${account} tekur ekki við mótaðila. Hakaðu við „Party Required“ á honum í Tryton.`,
  PERIOD_LACKING: () => 'Tryton hefur ekkert tímabil fyrir það. Stofnaðu reikningsárið og tímabil þess þar.',
  COMPANY_AMONG: ({ company, names }) =>
    `Þetta Tryton hefur ekkert félag ${company} sem notandinn má sjá; þar eru: ${names}.`,
  ANALYTIC_ROOT_LACKING: ({ root }) =>
    `Tryton hefur engan greiningarrótarlykil ${root}. Stofnaðu hann þar, eða leiðréttu stillingar félagsins.`,
  SALES_INVOICED_TOO: ({ method }) =>
    `Tryton gerir sjálft reikning úr hverri sölu (sölustillingar, reikningsaðferð \`${method}\`), og \`orders: invoice\` gerir annan í þjónustunni: sala yrði reikningsfærð tvisvar. Stilltu aðferðina á handvirkt þar, einnig í sölum sem bíða, eða láttu pantanir verða að pöntunum hér.`,
  TAX_NAME_LACKING: ({ system, name, vatCode }) =>
    `${named(system)} hefur engan skatt sem heitir ${name}, en \`taxes\` nefnir hann fyrir VSK-kóðann ${vatCode}.`,
  TAX_NAME_AMBIGUOUS: ({ system, name, vatCode }) =>
    `${named(system)} hefur fleiri en einn skatt sem heitir ${name}, en \`taxes\` nefnir hann fyrir VSK-kóðann ${vatCode}. Endurnefndu alla nema einn.`,
  TAX_ON_OTHER_ACCOUNT: ({ name, account, vatCode }) =>
    `Skatturinn ${name} í Tryton fer ekki á lykilinn ${account}, þar sem reglurnar bóka VSK með kóðanum ${vatCode}. Leiðréttu lykla hans þar, eða reglurnar.`,
  TRYTON_REFUSED: ({ status }) => `Tryton hafnaði notandanum, lykilorðinu eða heimildum hans (${status}).`,
  TRYTON_STATUS: ({ status }) => `Tryton, eða eitthvað fyrir framan það, svaraði ${status}.`,
  TRYTON_WRONG_ADDRESS: ({ status }) => `Tryton svaraði ${status}: athugaðu slóðina og gagnagrunninn.`,
  TRYTON_NO_DATABASE: ({ database }) => `Þetta Tryton hefur engan gagnagrunn ${database}.`,
  TRYTON_FAILED_INSIDE: ({ name }) => `Villa kom upp innan í Tryton: ${name}`,
} satisfies Translated<typeof TRYTON_ENGLISH>;
