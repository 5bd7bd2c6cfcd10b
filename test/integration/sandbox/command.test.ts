// `ledgerbridge sandbox` as somebody who has never seen it meets it.
import { expect, test } from 'vitest';
import { runCommand } from '../../../src/cli/main.js';
import type { CliIo } from '../../../src/cli/command.js';

/** Runs the command until `seen` has looked at its output, then sends it the stop signal. */
async function run(flags: readonly string[], seen: (output: string) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  let output = '';
  let printed: () => void;
  const ready = new Promise<void>((resolve) => (printed = resolve));
  const io: CliIo = {
    stdin: process.stdin,
    out: (text) => {
      output += text;
      printed();
    },
    err: () => undefined,
    env: {},
    cwd: process.cwd(),
    isTty: false,
    signal: stop.signal,
    setExitCode: () => undefined,
  };
  const running = runCommand(['sandbox', '--port', '0', ...flags], io);
  try {
    await Promise.race([ready, running]);
    await seen(output);
  } finally {
    stop.abort();
    await running;
  }
}

test('prints a command to try, and it works', async () => {
  await run(['--accounts', '1', '--documents', '10', '--development'], async (output) => {
    const [, user = '', url = ''] = /curl -u (\S+) '([^']+)'/.exec(output) ?? [];
    const answer = await fetch(url, { headers: { authorization: `Basic ${btoa(user)}` } });
    expect(await answer.json()).toMatchObject({ status: true, result: [{ accounting_status: 'Created' }] });
  });
});

test('takes accounts, faults and choices, and says what it started as JSON', async () => {
  const flags = [
    ...['--json', '--erp', '--account', 'username=demo,apiKey=s3cret,invoices=3,costs=0'],
    ...['--fault', 'server-error@get-items,status=502', '--choice', 'badCredentialsStatus=403'],
  ];
  await run(flags, async (output) => {
    const { url, accounts, erpLedger } = JSON.parse(output) as Record<string, string>;
    expect(accounts).toMatchObject([{ username: 'demo', apiKey: 's3cret' }]);
    expect(erpLedger).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const query = 'username=demo&api_key=s3cret';
    expect((await fetch(`${url!}/api/v1/get-items?${query}`)).status).toBe(502);
    expect((await fetch(`${url!}/api/v1/hello?username=demo&api_key=no`)).status).toBe(403);
  });
});

test('says what to do about options it does not understand', async () => {
  for (const [flags, sentence] of [
    [['--fault', 'flood'], /No fault is called "flood"/],
    [['--choice', 'creditSign=odd'], /creditSign is one of/],
    [['--now', 'tomorrow'], /--now takes an instant/],
  ] as const)
    await expect(run(flags, () => Promise.resolve())).rejects.toThrow(sentence);
});
