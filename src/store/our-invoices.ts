// Whether an invoice at the service is one that we made there, by what is on record of its mark.
import type { TenantName } from '../domain/ids.js';
import type { OurInvoices, Recognised } from '../pipeline/tenant-context.js';
import type { PrismaClient } from './generated/client.js';

const MADE = ['created', 'acknowledged'];
/** A person said that it is not sent: whatever carries its mark is somebody else's. */
const NEVER = ['skipped'];

export function createOurInvoices(prisma: PrismaClient, tenantName: TenantName): OurInvoices {
  return {
    recognise: async (guid, marks): Promise<Recognised> => {
      const rows = await prisma.submission.findMany({
        where: { tenantName, key: { in: [...marks] } },
        select: { guid: true, state: true, reference: true },
      });
      const same = rows.find(
        (row) => row.guid?.toLowerCase() === guid.toLowerCase() && MADE.includes(row.state),
      );
      if (same) return { verdict: 'ours', reference: same.reference };
      const [first] = rows;
      const isOver =
        rows.length > 0 && rows.every(({ state }) => MADE.includes(state) || NEVER.includes(state));
      // A mark that is not on record may be one that this database has forgotten.
      return { verdict: isOver ? 'another' : 'in-doubt', reference: first?.reference ?? marks[0] ?? '' };
    },
  };
}
