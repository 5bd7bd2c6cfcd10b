import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
afterAll(() => database.close());

describe('a database of a test', () => {
  it('is migrated and empty', async () => {
    expect(await database.prisma.tenant.count()).toBe(0);
    expect(await database.prisma.legalMove.count()).toBeGreaterThan(40);
  });
});
