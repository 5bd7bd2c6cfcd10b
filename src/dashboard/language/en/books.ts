// Plan, reconciliation and VAT.
import { count } from '../format.js';
import { plural } from './plural.js';

export const BOOKS = {
  plan: {
    title: 'Plan',
    intro: 'What would be posted now, checked against the ERP. Nothing is written.',
    choose: 'Choose a tenant to see what would be posted for it.',
    make: 'Make the plan',
    making: 'Reading the source and making the journals …',
    wouldPost: 'Would be posted',
    wouldNot: 'Would not be posted',
    perAccount: 'Totals per account',
    confirm: 'Confirm and start posting',
    confirmWhat:
      'From now on the bridge posts the documents of this tenant by itself, beginning with those in this plan.',
    becomes: { reject: 'Set to Error', skip: 'Set to Skipped', waits: 'Wait' },
    otherCompany: 'Begin although the books are those of another company.',
    despiteErrors: 'Begin although the plan has errors: documents that need what is lacking are held.',
    unchecked: 'Begin although the ERP could not be asked: what it lacks shows only when documents are held.',
    adminConfirms: 'An admin confirms the plan; until then nothing is posted.',
    confirmed: 'Confirmed',
    notConfirmed: 'Nothing is posted for this tenant before its plan was confirmed.',
    problems: 'The ERP is not ready',
    ready: 'The ERP knows every account, and the periods are open.',
  },
  reconciliation: {
    title: 'Reconciliation',
    intro: 'The source, the bridge and the ERP are compared document by document. Nothing is changed.',
    run: 'Compare now',
    from: 'From',
    to: 'To',
    clean: 'Everything agrees',
    notClean: (n: number) => plural(n, 'difference', 'differences'),
    emptyTitle: 'Not compared yet',
    empty: 'Each comparison appears here with its differences, or with none.',
    period: 'Period',
    result: 'Result',
    started: 'Started',
    running: 'under way',
    differences: 'Differences',
    entries: (erp: number, local: number) =>
      erp === local
        ? `${plural(erp, 'entry', 'entries')} in the ERP, as many as here`
        : `${plural(erp, 'entry', 'entries')} in the ERP, ${count(local)} here`,
  },
  vat: {
    title: 'VAT return',
    intro:
      'What the books say about VAT in a period, and what is not in them yet. Nothing is sent to anybody.',
    period: 'Period',
    show: 'Show',
    emptyTitle: 'Choose a company and a period',
    empty: 'For example 2026-09..10, 2026-09 or 2026.',
    boxes: {
      A: 'Taxable turnover at 24 %, without VAT',
      B: 'Taxable turnover at 11 %, without VAT',
      C: 'Turnover exempt by article 12 (export)',
      D: 'Output tax',
      E: 'Input tax',
      F: 'To pay, D less E; minus is a refund',
    },
    sides: { sale: 'Sale', purchase: 'Purchase', 'reverse-charge': 'Reverse charge' },
    codes: 'By VAT code',
    code: 'Code',
    side: 'Side',
    box: 'Box',
    outside: 'not reported',
    base: 'Base',
    tax: 'VAT',
    entries: 'Entries',
    behind: (code: string) => `Documents behind ${code}`,
    more: (n: number) => `and ${plural(n, 'more', 'more')}`,
    withoutLines: (n: number) =>
      `${plural(n, 'entry has', 'entries have')} no lines on record: look in the ERP.`,
    allPosted: 'Every document of the period is in the books.',
    unposted: 'Not in the books yet',
    unpostedWhat: 'Issued in the period; they would change the return.',
  },
};
