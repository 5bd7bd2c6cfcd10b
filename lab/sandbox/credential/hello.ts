// GET hello: the fields stand beside the envelope's, not inside `result`.
import { json } from '../http/reply.js';
import type { Answer } from './call.js';

export const hello: Answer = ({ account }) =>
  json(200, {
    status: true,
    message: 'Connection succeeded',
    name: account.profile.name,
    registration_no: account.profile.registration_no,
    vat_no: account.profile.vat_no,
  });
