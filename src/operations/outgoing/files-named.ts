// The files that a record names, for those who look at it.
import * as z from 'zod';
import { attachedFile, type AttachedFile } from '../../pipeline/outgoing/content-cost.js';

const naming = z.object({ files: z.array(attachedFile) });

/** None where it names none, or is of a kind that cannot. */
export function filesNamed(content: string): readonly AttachedFile[] {
  return naming.safeParse(JSON.parse(content)).data?.files ?? [];
}
