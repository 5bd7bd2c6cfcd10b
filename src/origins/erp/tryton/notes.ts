// What the service made of a record, as a note on it. A posted invoice of Tryton may not be changed, and a field of a party is somebody
// else's to fill in; a note belongs to any record, is seen beside it, and can be looked for, so that telling twice is telling once.
import * as z from 'zod';
import { answered } from '../answered.js';
import { noteOf } from '../note.js';
import type { Told } from '../../origin.js';
import type { TrytonReader } from './reader.js';
import { wireNotes } from './wire.js';

const NOTHING = z.unknown();

export async function writeNote(reader: TrytonReader, resource: string, told: Told): Promise<void> {
  const message = noteOf(told);
  const domain = [
    ['resource', '=', resource],
    ['message', 'like', `%${told.mark}%`],
  ];
  const [note] = await reader.find('ir.note', domain, ['message'], wireNotes, 1);
  if (note?.message === message) return;
  const { models } = reader;
  const context = await reader.context();
  const answer = note
    ? await models.call('ir.note.write', [[note.id], { message }], NOTHING, context)
    : await models.call('ir.note.create', [[{ resource, message }]], NOTHING, context);
  answered(answer);
}
