// Programs that know nothing of the bridge and judge its books.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Decimal } from '../../../src/domain/money.js';

const run = promisify(execFile);
const options = { env: { ...process.env, LC_ALL: 'C.UTF-8' }, maxBuffer: 64 * 1024 * 1024 };

export async function hledger(books: string, ...args: string[]): Promise<string> {
  return (await run('hledger', ['-f', join(books, 'ledger.journal'), ...args], options)).stdout;
}

export async function ledger(books: string, ...args: string[]): Promise<string> {
  const strict = ['--pedantic', '--explicit', '-f', join(books, 'ledger.journal')];
  const { stdout, stderr } = await run('ledger', [...strict, ...args], options);
  return stdout + stderr;
}

/** Rejects with bean-check's own words when it finds a fault. */
export async function beanCheck(books: string): Promise<string> {
  return (await run('bean-check', ['-C', join(books, 'ledger.beancount')], options)).stdout;
}

/** Account number → balance in ISK, at cost. */
export async function hledgerBalances(books: string): Promise<Map<string, Decimal>> {
  const csv = await hledger(books, 'balance', '-B', '--flat', '--no-total', '-O', 'csv');
  const balances = new Map<string, Decimal>();
  for (const row of csv.split('\n').slice(1)) {
    const match = /^"\w+:(\w+)","(-?[\d.]+) ISK"$/.exec(row.trim());
    if (match) balances.set(match[1]!, new Decimal(match[2]!));
    else if (row.trim() !== '' && !row.includes('","0"')) throw new Error(`hledger said ${row}`);
  }
  return balances;
}
