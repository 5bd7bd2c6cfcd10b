// Takes the lock of a directory, says so, and keeps it until it is killed.
import { mkdir } from 'node:fs/promises';
import { DirectoryLock } from '../../../src/erp/file/directory-lock.js';

const [directory = ''] = process.argv.slice(2);
await mkdir(directory, { recursive: true });
await new DirectoryLock(directory).hold(async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
