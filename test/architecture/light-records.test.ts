// What the bridge does by itself is SQL: Prisma, once loaded, is thirty megabytes of a process that should stay below 250.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Done by people or for a measurement, in processes that may load it. */
const FOR_PEOPLE = ['closing-store.ts'];
const OF_PRISMA = /\bmodelTx\(|\bawait models\(\)/;

const VALUES_OF_PRISMA =
  /^import (?!type )[^;]*\/generated\/client\.js'|import\('[^']*\/generated\/client\.js'\)/m;

const files = readdirSync('src/store').filter(
  (name) => name.endsWith('.ts') && name !== 'prisma.ts' && !FOR_PEOPLE.includes(name),
);

it.each(files)('src/store/%s asks in SQL', (name) => {
  expect(OF_PRISMA.exec(readFileSync(`src/store/${name}`, 'utf8'))?.[0]).toBeUndefined();
});

it('nothing takes more than types from what Prisma makes, but for the one place that loads it', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('store/generated/'),
  );
  const taking = sources.filter((name) => VALUES_OF_PRISMA.test(readFileSync(`src/${name}`, 'utf8')));
  expect(taking).toEqual(['store/prisma.ts']);
});

it('would be noticed where it is not so', () => {
  for (const name of FOR_PEOPLE) expect(readFileSync(`src/store/${name}`, 'utf8')).toMatch(OF_PRISMA);
});
