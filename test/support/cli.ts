// The command line from the sources, in a process of its own.
import { main } from '../../src/cli/main.js';

await main(process.argv.slice(2));
