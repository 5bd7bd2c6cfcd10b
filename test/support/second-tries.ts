// Says which tests needed a second try, and what the first one failed with: each of them hides a race, or a machine that was too slow for
// its wait. One that fails twice in a row has failed.
import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';

export default class SecondTries implements Reporter {
  readonly #tests: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const tries = test.diagnostic()?.retryCount ?? 0;
    const { state, errors = [] } = test.result();
    if (tries === 0 || state !== 'passed') return;
    this.#tests.push(`${test.module.relativeModuleId} > ${test.fullName}`);
    for (const { message, stacks = [] } of errors) {
      const [at] = stacks;
      const place = at ? ` (${relative(process.cwd(), at.file)}:${String(at.line)})` : '';
      this.#tests.push(`  at first: ${message.split('\n')[0] ?? ''}${place}`);
    }
  }

  onTestRunEnd(): void {
    if (this.#tests.length === 0) return;
    const lines = ['Passed only at the second try:', ...this.#tests];
    process.stdout.write(`\n${lines.join('\n  ')}\n`);
  }
}
