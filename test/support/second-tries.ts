// Says which tests needed a second try: each of them hides a race, or a machine that was too slow for its wait. One that fails twice in a
// row has failed.
import type { Reporter, TestCase } from 'vitest/node';

export default class SecondTries implements Reporter {
  readonly #tests: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const tries = test.diagnostic()?.retryCount ?? 0;
    if (tries > 0 && test.result().state === 'passed')
      this.#tests.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#tests.length === 0) return;
    const lines = [`${String(this.#tests.length)} passed only at the second try:`, ...this.#tests];
    process.stdout.write(`\n${lines.join('\n  ')}\n`);
  }
}
