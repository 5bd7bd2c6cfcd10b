// Who runs the embedded server: an ordinary user as themselves, root through another user, in open and closed directories.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { joinOrStart } from '../../../src/store/embedded-postgres.js';
import { closedParent } from '../../../src/store/embedded/server-user.js';
import { hold } from '../../support/embedded-process.js';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
const here = fileURLToPath(import.meta.url);
const nobodyCanRunUs =
  isRoot && closedParent(here, NOBODY) === null && closedParent(process.execPath, NOBODY) === null;

const directory = mkdtempSync(join(tmpdir(), 'lb-users-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

function directoryOf(name: string, mode: number, owner?: { uid: number; gid: number }): string {
  const path = join(directory, name);
  mkdirSync(path);
  chmodSync(path, mode);
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  return path;
}

function capabilities(pid: number): bigint {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? 'f'}`);
}

const ownerOf = (pid: number): number => statSync(`/proc/${String(pid)}`).uid;

describe.runIf(isRoot)('as root', () => {
  it('makes a data directory that others can pass through and not look into', async () => {
    const dataDirectory = join(directory, 'made');
    chmodSync(directory, 0o755);
    const server = await joinOrStart({ dataDirectory, role: 'bridge', durable: false });
    try {
      expect(statSync(dataDirectory).mode & 0o777).toBe(0o711);
      expect(statSync(join(dataDirectory, 'postgres', 'cluster')).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDirectory, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    } finally {
      await server.close();
    }
  });

  it('runs the server as an unprivileged user, with no capability in an open directory', async () => {
    chmodSync(directory, 0o755);
    const server = await joinOrStart({
      dataDirectory: directoryOf('open', 0o755),
      role: 'bridge',
      durable: false,
    });
    try {
      expect(ownerOf(server.serverPid)).not.toBe(0);
      expect(capabilities(server.serverPid)).toBe(0n);
    } finally {
      await server.close();
    }
  });

  it('lets nobody else of the machine near the server, not even to be refused', async () => {
    chmodSync(directory, 0o755);
    const dataDirectory = directoryOf('alone', 0o755);
    const server = await joinOrStart({ dataDirectory, role: 'bridge', durable: false });
    try {
      const socket = join(dataDirectory, 'postgres', 'socket', '.s.PGSQL.5432');
      const connect = `require('node:net').connect(${JSON.stringify(socket)}).on('error', ({ code }) => console.log(code)).on('connect', () => { console.log('in'); process.exit() })`;
      const knock = (user: object) =>
        execFileSync(process.execPath, ['-e', connect], { encoding: 'utf8', cwd: '/', ...user }).trim();
      expect(knock({})).toBe('in');
      expect(knock(NOBODY)).toBe('EACCES');
    } finally {
      await server.close();
    }
  });

  it('works in a directory closed to everybody else, keeping one capability', async () => {
    const closed = directoryOf('closed', 0o700);
    const server = await joinOrStart({ dataDirectory: join(closed, 'data'), role: 'bridge', durable: false });
    try {
      expect(ownerOf(server.serverPid)).not.toBe(0);
      const dacOverride = 1n << 1n;
      expect(capabilities(server.serverPid)).toBe(dacOverride);
      expect(statSync(closed).mode & 0o777).toBe(0o700);
    } finally {
      await server.close();
    }
  });
});

describe.runIf(nobodyCanRunUs)('as an ordinary user', () => {
  it('runs the server as that user, who finds it again after a kill, and root may use it too', async () => {
    chmodSync(directory, 0o755);
    const data = directoryOf('nobody', 0o700, NOBODY);
    const killed = hold(data, 'bridge', NOBODY);
    const { serverPid = 0 } = await killed.said;
    expect(ownerOf(serverPid)).toBe(NOBODY.uid);
    await killed.kill();
    const next = hold(data, 'bridge', NOBODY);
    expect(await next.said).toMatchObject({ serverPid });
    await next.leave();

    const asRoot = await joinOrStart({ dataDirectory: data, role: 'bridge', durable: false });
    expect(ownerOf(asRoot.serverPid)).toBe(NOBODY.uid);
    await asRoot.close();
  });

  it.each([
    ['may not write', 'sealed', () => directoryOf('sealed', 0o755)],
    ['may not read', 'foreign', () => directoryOf('foreign', 0o700)],
  ])('is told so when they %s the data directory', async (_what, _name, make) => {
    const data = join(make(), 'data');
    const said = await hold(data, 'command', NOBODY).said;
    expect(said.code).toBe('EMBEDDED_DATABASE_PERMISSION');
    expect(said.message).toBe(`The data directory ${data} cannot be used by this user (EACCES).`);
  });
});

describe('a data directory that cannot be used', () => {
  it('is named when it is a file', async () => {
    const file = join(directory, 'a-file');
    writeFileSync(file, '');
    await expect(joinOrStart({ dataDirectory: file, role: 'command', durable: false })).rejects.toMatchObject(
      {
        code: 'EMBEDDED_DATABASE_PERMISSION',
        message: `${file} is not a directory.`,
      },
    );
  });

  it('is named when its password or its version is not the one of its server', async () => {
    const data = directoryOf('spoilt', 0o755);
    await (await joinOrStart({ dataDirectory: data, role: 'command', durable: false })).close();
    const password = join(data, 'postgres/password');
    const right = readFileSync(password, 'utf8');
    writeFileSync(password, 'wrong\n');
    const holder = joinOrStart({ dataDirectory: data, role: 'command', durable: false });
    await expect(holder).rejects.toMatchObject({ code: 'EMBEDDED_DATABASE_PASSWORD' });
    writeFileSync(password, right);
    await (await joinOrStart({ dataDirectory: data, role: 'command', durable: false })).close();

    writeFileSync(join(data, 'postgres/cluster/PG_VERSION'), '17\n');
    await expect(joinOrStart({ dataDirectory: data, role: 'command', durable: false })).rejects.toMatchObject(
      {
        code: 'EMBEDDED_DATABASE_VERSION',
      },
    );
  });

  it.runIf(canMount())('is named when its disk is full', async () => {
    const disk = directoryOf('small-disk', 0o755);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
    try {
      const failed = joinOrStart({ dataDirectory: join(disk, 'data'), role: 'command', durable: false });
      await expect(failed).rejects.toMatchObject({
        code: 'EMBEDDED_DATABASE_DISK',
      });
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'lb-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
