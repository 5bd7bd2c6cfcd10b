// The only list of commands, in the order in which help shows them.
import type { RegisterCommand } from './command.js';
import { registerDb } from './db.js';

export const COMMANDS: readonly RegisterCommand[] = [registerDb];
