// `npm run format`: Prettier's format, of the files that are not in it. A formatter of the same rules, in seconds instead of a minute, says
// which those may be, and Prettier has the last word on them: the two differ about how a union of types is broken, where either will do.
// `--check` changes nothing and names them. Where there is no such program for the machine, Prettier is asked about all.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = `${root}node_modules/.cache/ledgerbridge-format/`;
/** More than the names of all files. */
const OUTPUT_BYTES_MAX = 10_000_000;

/** Relative to the root, or null when nobody can tell. */
function suspects() {
  const { overrides: _, ...settings } = JSON.parse(readFileSync(`${root}.prettierrc.json`, 'utf8'));
  const config = `${cache}oxfmtrc.json`;
  mkdirSync(cache, { recursive: true });
  writeFileSync(config, JSON.stringify({ ...settings, sortPackageJson: false }));
  const program = `${root}node_modules/.bin/oxfmt`;
  const { status, stdout } = spawnSync(program, ['--config', config, '--list-different', '.'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX },
  });
  const names = (stdout ?? '').split('\n').filter((name) => name !== '');
  if (status === 0) return [];
  return status === 1 && names.length > 0 ? names : null;
}

const files = suspects() ?? ['.'];
if (files.length === 0) process.exit(0);
const mode = process.argv.includes('--check') ? '--check' : '--write';
const options = [mode, '--log-level', 'warn', '--ignore-unknown'];
const { status } = spawnSync(`${root}node_modules/.bin/prettier`, [...options, ...files], {
  ...{ cwd: root, stdio: 'inherit' },
});
process.exit(status ?? 1);
