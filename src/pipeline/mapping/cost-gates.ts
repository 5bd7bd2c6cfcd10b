// Whether a cost can be booked at all, and by which rule. The order of the questions is the specification's.
import { message } from '../../language/messages.js';
import { isDocumentedCurrency } from '../../domain/currency.js';
import { plainKennitala } from '../../domain/kennitala.js';
import { amountText } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import { assignCost, caseOf, type CostAssignment } from './cost-assignment.js';
import { showsImport } from './import-vat.js';
import { gateCutOver, unknownCurrency } from './invoice-gates.js';
import { doubt, stop, type Stop } from './outcome.js';
import { entryOf, type RuleBook } from './rule-book.js';
import { type CostCase, type FoundCase, textOf } from './rule-cases.js';
import type { CostCodeRule } from './rules.js';
import { because, type Because } from './trace.js';
import { ublOf, type UblDocument } from './ubl/read-ubl.js';

export interface AdmittedCost {
  readonly code: string;
  readonly rule: CostCodeRule;
  readonly isAlias: boolean;
  readonly howPaid: string;
  readonly credit: Because;
  /** null: there is none, and the tenant accepts that. */
  readonly ubl: UblDocument | null;
  readonly assigned: CostAssignment;
  readonly isImport: boolean;
}

export function admitCost(cost: SourceCost, book: RuleBook): AdmittedCost | Stop {
  const early = gateStatus(cost, book);
  if (early) return early;
  const code = findCode(cost, book);
  if (isStopped(code)) return code;
  const howPaid = wholeNumberText(cost.howPaid);
  const credit = creditAccount(howPaid, code.code, code.rule, book);
  if (isStopped(credit)) return credit;
  if (cost.amount.lt(0)) return negativeCost(cost);
  if (cost.amount.isZero() && cost.vatS.isZero() && cost.vatAA.isZero()) return stop('ZERO_AMOUNT');
  const ubl = readXmlOf(cost, book);
  if (isStopped(ubl)) return ubl;
  const tooOld = cost.issueDate === '' ? gateCutOver(ubl?.issueDate ?? '', book) : null;
  if (tooOld) return tooOld;
  const found = caseOf({ cost, code: code.code, howPaid, ubl }, book);
  const why = message('CODE_IS', {
    costCode: code.code,
    ...(code.isAlias ? { written: cost.costCode } : {}),
  });
  return {
    code: code.code,
    rule: code.rule,
    isAlias: code.isAlias,
    howPaid,
    credit: creditOf(found) ?? employeeOf(cost, howPaid, ubl, book) ?? credit,
    ubl,
    assigned: assignCost(code.code, code.rule, why, found),
    isImport:
      (found?.case.importVat ?? code.rule.importVat) === true || (ubl !== null && showsImport(cost, ubl)),
  };
}

/** The service keeps amounts positive. Where the e-invoice comes to the same, either sign may be meant. */
function negativeCost(cost: SourceCost): Stop {
  const given = { amount: amountText(cost.amount) };
  const read = ublOf(cost);
  const isStated =
    read?.outcome === 'read' &&
    [read.ubl.total, read.ubl.payable].some((stated) => stated.abs().eq(cost.amount.abs()));
  return isStated ? doubt('NEGATIVE_COST', given) : stop('NEGATIVE_COST', given);
}

/** Who paid for the company gets it back on an account of their own. */
function creditOf(found: FoundCase<CostCase> | null): Because | null {
  const account = found?.case.creditAccount;
  if (!found || account === undefined) return null;
  return because('account', account, `${found.path}.creditAccount`, message('CASE_OF_COST'));
}

const PAID_BY_EMPLOYEE = '4';

/** The service does not say who paid; the texts of the cost do, where people write it there. */
function employeeOf(
  { description, projectName, fileName }: SourceCost,
  howPaid: string,
  ubl: UblDocument | null,
  { rules }: RuleBook,
): Because | null {
  const { employees } = rules.cost;
  if (howPaid !== PAID_BY_EMPLOYEE || employees === undefined) return null;
  const text = textOf(description, projectName, fileName, ubl?.buyerReference ?? '');
  const found = Object.entries(employees).find(([name]) => text.includes(name.toLowerCase()));
  if (found === undefined) return null;
  const [name, account] = found;
  return because('account', account, `cost.employees.${name}`, message('EMPLOYEE_PAID', { name }));
}

function isStopped(result: object | null): result is Stop {
  return result !== null && 'stop' in result;
}

function gateStatus(cost: SourceCost, book: RuleBook): Stop | null {
  if (cost.accountingStatus !== 'Created') {
    return stop('NOT_CREATED', { status: cost.accountingStatus });
  }
  const { skip } = book.rules;
  const supplier = plainKennitala(cost.supplierId);
  if ((skip?.suppliers ?? []).some((listed) => plainKennitala(listed) === supplier)) {
    return stop('SKIPPED_SUPPLIER', { supplier });
  }
  if ((skip?.costCodes ?? []).includes(cost.costCode)) {
    return stop('SKIPPED_COST_CODE', { costCode: cost.costCode });
  }
  return (
    gateCutOver(cost.issueDate, book) ??
    (isDocumentedCurrency(cost.currency) ? null : unknownCurrency(cost.currency))
  );
}

function findCode(cost: SourceCost, book: RuleBook): Pick<AdmittedCost, 'code' | 'rule' | 'isAlias'> | Stop {
  const written = cost.costCode.trim();
  const alias = entryOf(book.rules.cost.codeAliases, written);
  const code = alias ?? written;
  const rule = entryOf(book.rules.cost.codes, code);
  if (!rule) return stop('UNMAPPED_COST_CODE', { costCode: code, written });
  const needsReview = rule.mode === 'error' || rule.mode === 'park';
  if (needsReview) return stop('COST_CODE_NEEDS_REVIEW', { costCode: code });
  return { code, rule, isAlias: alias !== undefined };
}

/** The code's own account for this way of paying, else the tenant's. */
function creditAccount(howPaid: string, code: string, rule: CostCodeRule, book: RuleBook): Because | Stop {
  const own = entryOf(rule.creditAccount, howPaid);
  if (own !== undefined) {
    const path = `cost.codes.${code}.creditAccount.${howPaid}`;
    return because('account', own, path, message('CODE_HAS_ACCOUNT', { costCode: code }));
  }
  const account = entryOf(book.rules.cost.howPaid, howPaid);
  if (account !== undefined) {
    return because('account', account, `cost.howPaid.${howPaid}`, message('HOW_PAID', { howPaid }));
  }
  return stop('UNMAPPED_HOW_PAID', { howPaid });
}

function readXmlOf(cost: SourceCost, book: RuleBook): UblDocument | null | Stop {
  const read = ublOf(cost);
  if (read === null) {
    if (book.whenXmlMissing === 'assumeInvoice') return null;
    return stop(book.whenXmlMissing === 'defer' ? 'XML_PENDING' : 'XML_MISSING');
  }
  return read.outcome === 'read' ? read.ubl : stop('XML_UNREADABLE', { problem: read.problem });
}

/** The service says an integer; "1", 1 and 1.0 are the same way of paying. */
function wholeNumberText(written: string): string {
  return written.trim().replace(/^0*([1-9]\d*|0)(?:\.0+)?$/, '$1');
}
