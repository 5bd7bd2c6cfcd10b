// Who looked at which document: told once an hour, where whoever runs the bridge wants that. What cannot be put on record is not shown.
import type { ActTally } from './act-tally.js';
import type { OperationsDeps } from './deps.js';
import type { OnOutgoing } from './outgoing/on-outgoing.js';
import type { Reading } from './reading.js';

export interface Reader {
  readonly actor: string;
  /** `dashboard` or `api`, and what else tells who it was. */
  readonly by: Readonly<Record<string, unknown>>;
}

type Reads = Pick<Reading, 'explain'> & Pick<OnOutgoing, 'submission'>;

export function watchReads<Seen extends Reads>(
  operations: Seen,
  { clock, records }: Pick<OperationsDeps, 'clock'> & { readonly records: { readonly tally: ActTally } },
  { actor, by }: Reader,
): Seen {
  const read = (action: string, tenantName: string, subject: string) =>
    records.tally.once({ tenantName, actor, action, subject, details: by, at: clock.now() });
  return {
    ...operations,
    explain: async (...asked: Parameters<Reads['explain']>) => {
      const story = await operations.explain(...asked);
      const { tenantName, postingId } = story.document;
      await read('document.read', tenantName, postingId);
      return story;
    },
    submission: async (...asked: Parameters<Reads['submission']>) => {
      const story = await operations.submission(...asked);
      const { tenantName, id } = story;
      await read('submission.read', tenantName, id);
      return story;
    },
  };
}
