// A process of its own that uses the embedded PostgreSQL: says `{"serverPid"}` or `{"code","message"}` on one line,
// then stays until its standard input ends. Tests kill it.
import { isCoded } from '../../src/domain/errors/coded-error.js';
import { joinOrStart } from '../../src/store/embedded-postgres.js';
import { DATABASE_ROLES } from '../../src/store/embedded/presence.js';

const [dataDirectory = '', wanted] = process.argv.slice(2);
const role = DATABASE_ROLES.find((known) => known === wanted) ?? 'command';
try {
  const server = await joinOrStart({ dataDirectory, role, durable: false });
  say({ serverPid: server.serverPid });
  process.stdin.resume();
  process.stdin.once('end', () => void server.close());
} catch (error) {
  say(
    isCoded(error)
      ? { code: error.code, message: error.message }
      : { code: 'UNEXPECTED', message: String(error) },
  );
}

function say(words: object): void {
  process.stdout.write(`${JSON.stringify(words)}\n`);
}
