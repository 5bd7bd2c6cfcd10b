// Records that come over HTTP, as a tenant file names them.
import type { CreateOrigin } from '../origin-services.js';
import { InboxOrigin } from './inbox-origin.js';

export const createHttp: CreateOrigin<'http'> = ({ name }, services) =>
  new InboxOrigin(name, services.inbox(name));
