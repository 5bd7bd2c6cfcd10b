// The recipes of docs/engineers/recipes.md are followed: an example stands in the files that its recipe names and in no others, and in as many
// as the recipe says.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const sources = execFileSync('git', ['ls-files', 'src', 'prisma/schema.prisma'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|prisma)$/.test(path))
  .map((path) => ({ path, text: read(path) }));

interface Recipe {
  /** What an addition of this kind leaves in a file. */
  readonly example: RegExp;
  /** Reached where the recipe says why the limit is not. */
  readonly most: number;
  /** Files that say it: a message without any is of no use. */
  readonly besides?: readonly string[];
  /** The word means other things elsewhere, so only the files of the recipe are looked into. */
  readonly isCommonWord?: true;
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  'A flag of an act': { example: /\bacceptDifferences\b/, most: 5 },
  'A filter of the list of documents': { example: /\bamountMin\b/, most: 3 },
  'A column of postings': { example: /\bwarnings\b/, most: 8, isCommonWord: true },
  'A page of the dashboard': { example: /\baddAudit\b|\['audit', '\/audit'\]|^ {2}audit: \{/m, most: 5 },
  'A message': { example: /\bENTRY_TAKEN\b/, most: 2, besides: ['src/operations/mark-posted.ts'] },
};

const sections = new Map(
  read('docs/engineers/recipes.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

/** The file that begins each step. */
function stepsOf(section: string): string[] {
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path);
}

describe('a recipe', () => {
  it('is tried for every addition that the page describes', () => {
    expect([...sections.keys()]).toEqual(Object.keys(RECIPES));
  });

  it.each(Object.entries(RECIPES))('%s: its example is where the steps say', (name, recipe) => {
    const section = sections.get(name) ?? '';
    const steps = stepsOf(section);
    const found = sources.filter(({ text }) => recipe.example.test(text)).map(({ path }) => path);
    const touched = found.filter((path) => !recipe.besides?.includes(path));
    if (recipe.isCommonWord) expect(touched).toEqual(expect.arrayContaining(steps));
    else expect(touched.toSorted()).toEqual(steps.toSorted());
    expect(found).toEqual(expect.arrayContaining([...(recipe.besides ?? [])]));
    const [, limit, reached] = /Limit (\d+), reached (\d+)/.exec(section) ?? [];
    expect(steps).toHaveLength(Number(reached));
    expect(steps.length).toBeLessThanOrEqual(recipe.most);
    // A limit that is not kept has its reason behind a colon.
    if (Number(reached) > Number(limit)) expect(section).toMatch(/reached \d+[^.]*: /);
  });
});
