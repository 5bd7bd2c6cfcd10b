#!/usr/bin/env node
import * as module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// What was compiled once is kept where this Node can do that, in a directory of the user alone: it is code that is run unread, so it
// must not lie where others write. Where the directory cannot be made, nothing is kept and nothing said.
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
module.enableCompileCache?.(join(cache, 'ledgerbridge'));

const { main } = await import('../dist/cli/main.js');
await main(process.argv.slice(2));
