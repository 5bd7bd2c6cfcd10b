// Views that people saved, on PostgreSQL; so many each.
import type { UserRecords } from '../../operations/users/user-records.js';
import { newId } from '../ids.js';
import type { Models } from '../prisma.js';

const VIEWS_MAX = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createViewStore(models: Models): Pick<UserRecords, 'views' | 'keepView' | 'dropView'> {
  return {
    views: async (login) =>
      (await models()).savedView.findMany({
        where: { user: { login } },
        select: { id: true, name: true, query: true },
        orderBy: { name: 'asc' },
        take: VIEWS_MAX,
      }),
    keepView: async (login, { name, query }, at) => {
      const prisma = await models();
      const user = await prisma.dashboardUser.findUnique({ where: { login }, select: { id: true } });
      if (!user) return;
      await prisma.savedView.upsert({
        where: { userId_name: { userId: user.id, name } },
        create: { id: newId(at.getTime()), userId: user.id, name, query, createdAt: at },
        update: { query },
      });
    },
    dropView: async (login, id) => {
      if (UUID.test(id)) await (await models()).savedView.deleteMany({ where: { id, user: { login } } });
    },
  };
}
