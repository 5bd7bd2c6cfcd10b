// The only list of commands, in the order in which help shows them.
import type { RegisterCommand } from './command.js';
import { registerAdapter } from './adapter.js';
import { registerApprovals } from './approvals.js';
import { registerApi } from './api.js';
import { registerAuth } from './auth.js';
import { registerBench } from './bench.js';
import { registerDb } from './db.js';
import { registerDemo } from './demo.js';
import { registerDoctor } from './doctor.js';
import { registerArchive } from './archive.js';
import { registerClose } from './close.js';
import { registerOriginals } from './originals.js';
import { registerOutgoing } from './outgoing.js';
import { registerBooks } from './books.js';
import { registerDocuments } from './documents.js';
import { registerExplain } from './explain.js';
import { registerLogs } from './logs.js';
import { registerOpen } from './open.js';
import { registerNotify } from './notify.js';
import { registerPlan } from './plan.js';
import { registerProblems } from './problems.js';
import { registerAudit, registerExport, registerIncidents } from './records.js';
import { registerDescribe } from './describe.js';
import { registerRehearse } from './rehearse.js';
import { registerReplay } from './replay.js';
import { registerSandbox } from './sandbox.js';
import { registerSimulate } from './simulate.js';
import { registerCheckOutside } from './check-outside.js';
import { registerSetAside } from './set-aside.js';
import { registerStatus } from './status.js';
import { registerSteer } from './steer.js';
import { registerServe } from './serve.js';
import { registerMap } from './map.js';

import { registerTenant } from './tenant.js';
import { registerToken } from './token.js';
import { registerUser } from './user.js';
import { registerVat } from './vat.js';
import { registerCompletion } from './completion.js';

export const COMMANDS: readonly RegisterCommand[] = [
  registerServe,
  registerDemo,
  registerSandbox,
  registerBench,
  registerSimulate,
  registerTenant,
  registerStatus,
  registerDocuments,
  registerExplain,
  registerLogs,
  registerOpen,
  registerProblems,
  registerReplay,
  registerSetAside,
  registerBooks,
  registerRehearse,
  registerDescribe,
  registerOriginals,
  registerOutgoing,
  registerClose,
  registerArchive,
  registerPlan,
  registerSteer,
  registerApprovals,
  registerIncidents,
  registerNotify,
  registerAudit,
  registerExport,
  registerCheckOutside,
  registerVat,
  registerToken,
  registerUser,
  registerApi,
  registerAuth,
  registerAdapter,
  registerMap,
  registerDoctor,
  registerDb,
  registerCompletion,
];
