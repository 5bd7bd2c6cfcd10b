// Why a line of a journal is as it is.
import type { TextTable } from '../table.js';

export const TRACE = {
  STATED_FOR_RATE: () => 'The e-invoice states it for the rate.',
  VAT_OF_IMPORT: () => 'It is VAT on imported goods, whose price is not on the bill.',
  PAID_BEFOREHAND: () => 'It was paid beforehand, as the e-invoice says.',
  VAT_NOT_ON_COST: () => 'Only the e-invoice states it, and none of it is deducted.',
  SAME_VAT_IN_CURRENCY: ({ currency }: { currency: string }) =>
    `The e-invoice states the same VAT in ${currency}.`,
  POSTED_ON_ISSUE_DATE: () => 'The posting date is the issue date.',
  MOVED_TO_OPEN_DAY: ({ lockedUntil, issueDate }: { lockedUntil: string; issueDate: string }) =>
    `The books are locked until ${lockedUntil}; the document date stays ${issueDate}.`,
  BOOKED_TOGETHER: ({ closes }: { closes: string }) =>
    `It is booked in one journal with the other documents of its day, which is closed at ${closes}.`,
  ORIGINAL_NOT_LOOKED_UP: () => 'The original was not looked up.',
  PREFIX_AND_NUMBER: () => 'The prefix, then the number of the invoice.',
  BOOKS_IN_ISK: () => 'The books are kept in ISK.',
  RATE_OF_DAY: ({ day }: { day: string }) => `Its rate of ${day}.`,
  NO_RATE_STATED: () => 'The document states none.',
  INVOICE_STATES_IT: () => 'The invoice states it.',
  ORIGINAL_STATES_IT: () => 'The invoice that is credited states it.',
  VAT_IN_BOTH: () => 'The e-invoice states its VAT in both currencies.',
  ROUNDING_REST: () => 'The rest of rounding in the currency went here.',
  ROUNDED_ONE_BY_ONE: () => 'Every line is rounded to krónur on its own; this is the difference.',
  PART_DEDUCTIBLE: ({ percent, costCode }: { percent: number; costCode: string }) =>
    `${percent} % of the VAT on code ${costCode} is deductible.`,
  NOTHING_TO_DEDUCT: () => 'Without VAT there is nothing to deduct.',
  VAT_IN_EXPENSE: () => 'VAT that is not deductible is part of the expense.',
  NET_AFTER_ROUNDING: () => 'What rounding of the VAT leaves of the net.',
  VAT_DEDUCTED: () => 'VAT that can be deducted.',
  SUPPLIER_ABROAD: () => 'The supplier is abroad and charged no Icelandic VAT.',
  VAT_OWED_AND_DEDUCTED: () => 'VAT owed and deducted.',
  VAT_OWED_NOT_DEDUCTIBLE: () => 'VAT owed, not deductible.',
  VAT_OWED_BY_BUYER: () => 'VAT owed by the buyer.',
  OWED_IN: ({ currency }: { currency: string }) => `Owed in ${currency}.`,
  CODE_HAS_ACCOUNT: ({ costCode }: { costCode: string }) =>
    `Code ${costCode} has its own account for this way of paying.`,
  HOW_PAID: ({ howPaid }: { howPaid: string }) => `how_paid is ${howPaid}.`,
  CENTS_LEFT: () => 'The cents that the lines were short of the amount, or over it.',
  LINES_GIVE_AMOUNT: ({ perUnit }: { perUnit: boolean }) =>
    `The lines with VAT give the amount${perUnit ? ', with price discounts per unit' : ''}.`,
  CUSTOMER_EXEMPT: () => 'The customer is tax exempt.',
  TOTALS_GIVE_AMOUNT: ({ withVat }: { withVat: boolean }) =>
    `The lines do not give the amount, the totals per VAT rate do, read as amounts ${withVat ? 'with' : 'without'} VAT.`,
  CUSTOMER_OWES: ({ currency }: { currency?: string }) =>
    currency === undefined ? 'What the customer owes.' : `What the customer owes, in ${currency}.`,
  ITEM_NUMBER: ({ number }: { number: string }) => `The item is number ${number}.`,
  ITEM_CATEGORY: ({ category }: { category: string }) => `The item is of category ${category}.`,
  NO_OWN_ACCOUNT: () => 'Neither the item number nor the category has an account of its own.',
  TAXED_AS: ({ treatment }: { treatment: string }) => `The line is taxed as ${treatment}.`,
  RESIDUAL: ({ isFee }: { isFee: boolean }) =>
    `${isFee ? 'A fee' : 'A discount'} that the totals hold and the lines do not.`,
  VAT_ON_LINES: () => 'VAT on the sum of its lines.',
  ERP_SPLITS_VAT: () => 'The ERP takes the VAT out of the line by its code.',
  PAID_IN: () => 'What the bank paid in for the claim.',
  TAX_WITHHELD: () => 'Capital gains tax that the bank withheld.',
  INTEREST_PAID: () => 'Default interest that the customer paid.',
  COLLECTION_PAID: () => 'Default charge and other costs that the customer paid.',
  PAID_ON: ({ day }: { day: string }) => `The payment was first seen of ${day}.`,
  SPREAD_OVER: ({ releases, first, last }: { releases: number; first: string; last: string }) =>
    releases === 1 ? `Released on ${first}.` : `Released on ${releases} days from ${first} to ${last}.`,
  WAITS_FOR_RELEASE: ({ isLater }: { isLater: boolean }) =>
    `It belongs to ${isLater ? 'later' : 'earlier'} months than the document, and waits here for them.`,
  RELEASED: ({ part, of }: { part: string; of: string }) => `Part ${part} of ${of} that waited.`,
  CLOSES_RECEIVABLE: () => 'Closes what the customer owes.',
  EXCHANGE_DIFFERENCE: ({ isGain }: { isGain: boolean }) =>
    `What the currency ${isGain ? 'rose' : 'fell'} between the invoice and its payment.`,
  PAYMENT_TAKEN_BACK: () => 'The payment that was booked here was taken back.',
  PAID_BY_METHOD: ({ method }: { method: string }) => `It was paid by method ${method}.`,
  PAYMENT_UNKNOWN: () => 'How it was paid is not known.',
  END_KEPT: ({ number }: { number: string }) => `Of ${number} the end was kept.`,
  FIELD_SAYS: ({ field, text }: { field: string; text: string }) => `${field} says "${text}".`,
  VALUE_UNKNOWN: ({ field, text }: { field: string; text: string }) =>
    `${field} says "${text}", which the value table does not know.`,
  DATE_FROM_XML: () => 'Only the e-invoice has a date.',
  COST_NUMBER: ({ fromXml }: { fromXml: boolean }) =>
    `The prefix, then ${fromXml ? 'the number on the e-invoice' : 'the beginning of the guid'}.`,
  XML_SAYS_SO: () => 'The e-invoice says so.',
  CREDIT_NOTE_FLAG: () => 'credit_note is 1.',
  NO_XML_TO_TELL: () => 'There is no e-invoice to tell a credit note by.',
  CODE_IS: ({ costCode, written }: { costCode: string; written?: string }) =>
    written === undefined
      ? `The code is ${costCode}.`
      : `The code ${written} is another name of ${costCode}.`,
  PRIOR_PERIOD: ({ issued }: { issued: string }) => `The invoice was issued on ${issued}, in a prior period.`,
  TABLE_KNOWS: ({ key }: { key: string }) => `The table knows ${key}.`,
  EMPLOYEE_PAID: ({ name }: { name: string }) => `The texts name ${name}, and an employee paid.`,
  CASE_OF_LINE: () => 'The first case that fits this line.',
  CASE_OF_COST: () => 'The first case that fits this cost.',
} satisfies TextTable;
