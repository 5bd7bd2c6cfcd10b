// Hours to be billed, as a tenant file names them.
import type { CreateOrigin } from '../origin-services.js';
import { BillableHours } from './billable-hours.js';

export const createHours: CreateOrigin<'hours'> = (settings, { tasks, clock }) =>
  new BillableHours(settings.name, settings, tasks, clock);
