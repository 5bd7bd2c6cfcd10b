// What became of a record, as a small text file attached to it: nobody may change a posted document, and the fields of a customer are
// its people's. One file for each mark, whose content is the last word; writing it again changes nothing.
import { answered } from '../answered.js';
import { noteOf } from '../note.js';
import type { Told } from '../../origin.js';
import type { BcReader } from './reader.js';
import { bcNote } from './wire.js';

const NOTE = /^ledgerbridge-O[A-Z0-9]{19}\.txt$/;

export function isNote(fileName: string): boolean {
  return NOTE.test(fileName);
}

export async function attachNote({ client }: BcReader, owner: string, told: Told): Promise<void> {
  const fileName = `ledgerbridge-${told.mark}.txt`;
  const path = `${owner}/documentAttachments`;
  const there = answered(await client.list(path, {}, bcNote));
  const note =
    there.find((one) => one.fileName === fileName) ??
    answered(await client.create(path, JSON.stringify({ fileName }), bcNote));
  const content = Buffer.from(`${noteOf(told)}\n`);
  answered(await client.upload(`documentAttachments(${note.id})/attachmentContent`, content));
}
