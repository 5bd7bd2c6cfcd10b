// Both sides of a bed, judged by the outside checker: the sandbox's documents and the ledger's entries, never our database.
import { Decimal, sum } from '../../src/domain/money.js';
import { checkOutside, type OutsideDocument, type OutsideEntry } from '../../src/outside/check-outside.js';
import type { ErpLedger } from '../../lab/sandbox/erp-ledger/server.js';
import type { Bed } from './bridge-bed.js';

const KINDS = ['invoice', 'cost'] as const;

/** `ledger`: as the tenants call it. */
export function foundOutside(
  { sandbox }: Pick<Bed, 'sandbox'>,
  erp: ErpLedger,
  ledger = 'http:prufa',
): string[] {
  const entries = erp.control.entries().map(toEntry);
  const reports = sandbox.accounts.map(({ username, registrationNo }) => {
    const documents = KINDS.flatMap((kind) =>
      sandbox.control
        .documents(username, { kind, limit: 100_000 })
        .map(({ guid, number, accountingStatus }): OutsideDocument => ({
          ...{ kind, guid, number, accountingStatus: accountingStatus ?? '' },
          ...{ amount: null, handedOverAt: null },
        })),
    );
    const { environment } = sandbox;
    return checkOutside({
      environment,
      sourceAccount: registrationNo,
      ledger,
      documents,
      entries,
      settledBefore: null,
    });
  });
  // An entry of another company is unknown to this one; of nobody at all it is a finding.
  const isUnknownToAll = (key: string) =>
    reports.every(({ findings }) =>
      findings.some(({ kind, about }) => kind === 'unknown-entry' && about === key),
    );
  return [
    ...reports.flatMap(({ findings }) => findings.filter(({ kind }) => kind !== 'unknown-entry')),
    ...(reports[0]?.findings ?? []).filter(
      ({ kind, about }) => kind === 'unknown-entry' && isUnknownToAll(about),
    ),
  ].map(({ kind, about, details }) => `from outside: ${kind} of ${about}: ${details}`);
}

function toEntry({
  id,
  key,
  reversed,
  lines,
}: ReturnType<ErpLedger['control']['entries']>[number]): OutsideEntry {
  const amount = sum(lines.map(({ debit }) => new Decimal(debit ?? 0))).toFixed();
  const named = lines.map(({ text = '', debit, credit }) => ({
    text,
    amount: new Decimal(debit ?? credit ?? 0).toFixed(),
  }));
  return { id, key, amount, isReversed: reversed, lines: named };
}
