// The command line from the sources, in a process of its own.
import { runCli } from '../../src/cli/main.js';

process.exitCode = await runCli(process.argv.slice(2));
