// The only list of commands, in the order in which help shows them.
import type { RegisterCommand } from './command.js';
import { registerAdapter } from './adapter.js';
import { registerApi } from './api.js';
import { registerAuth } from './auth.js';
import { registerDb } from './db.js';
import { registerDemo } from './demo.js';
import { registerDoctor } from './doctor.js';
import { registerSandbox } from './sandbox.js';
import { registerServe } from './serve.js';
import { registerMap } from './map.js';

import { registerTenant } from './tenant.js';
import { registerCompletion } from './completion.js';

export const COMMANDS: readonly RegisterCommand[] = [
  registerServe,
  registerDemo,
  registerSandbox,
  registerTenant,
  registerApi,
  registerAuth,
  registerAdapter,
  registerMap,
  registerDoctor,
  registerDb,
  registerCompletion,
];
