// An act that is declared is offered everywhere, and its fields are read alike.
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../src/api/routes.js';
import { registerActs } from '../../../src/cli/acts.js';
import { MESSAGES } from '../../../src/dashboard/language/messages.js';
import { actInput } from '../../../src/dashboard/routes/document.js';
import { actForm } from '../../../src/dashboard/views/act-dialog.js';
import type { Visit } from '../../../src/dashboard/visit.js';
import { ACTIONS, actNamed } from '../../../src/operations/acts.js';
import type { OperationsDeps } from '../../../src/operations/deps.js';
import { checkedInput } from '../../../src/operations/field-schemas.js';
import { previewAct, runAct } from '../../../src/operations/run-act.js';
import type { Story } from '../../../src/operations/views/document.js';
import { fakeIo } from '../cli/run-cli.js';
import { sampleOf } from './field-samples.js';

describe('a declared act', () => {
  const program = new Command();
  registerActs(program, fakeIo().io, () => Promise.resolve(program));
  const story = {
    document: { postingId: 'p', kind: 'invoice', state: 'parked', tries: 1, number: '1', guid: 'g' },
    attempts: [{ part: 'settlement', outcome: 'unknown' }],
    sentence: '',
  } as unknown as Story;

  it.each(ACTIONS.filter((name) => !actNamed(name).ofSelection))(
    '%s has a command and a route with its fields',
    (name) => {
      const { input, texts, role } = actNamed(name);
      const command = program.commands.find((one) => one.name() === name);
      const route = ROUTES.find(({ path }) => path === `/documents/{id}/${name}`);
      expect(command?.description()).toBe(texts.summary);
      expect(route?.role).toBe(role);
      for (const [key, { cli }] of Object.entries(input)) {
        expect(Object.keys(route?.body?.shape ?? {}), name).toContain(key);
        const long = /--[\w-]+/.exec(cli ?? '')?.[0];
        if (long !== undefined) expect(command?.options.map((one) => one.long)).toContain(long);
      }
    },
  );

  it.each(ACTIONS)('%s has a dialog in every language with the fields that pages offer', (name) => {
    for (const text of Object.values(MESSAGES)) {
      const form = actForm({ text, csrf: '' } as Visit, story, name).text;
      for (const [key, field] of Object.entries(actNamed(name).input)) {
        expect(form.includes(`name="${key}"`), `${name} ${key}`).toBe(field.page);
        if (!field.page) continue;
        const labels: Readonly<Record<string, { readonly label: string }>> = text.actions[name].fields;
        expect(form).toContain(labels[key]?.label.slice(0, 20));
        expect(actInput({ [key]: sampleOf(field).typed }, name)).toMatchObject({
          [key]: sampleOf(field).value,
        });
      }
    }
  });

  it.each(ACTIONS)(
    '%s is refused to a role below its own, to whoever sees all companies and to whoever sees one',
    async (name) => {
      const records = { replayFacts: () => Promise.resolve([{ tenantName: 'hraun' }]) };
      const deps = { records, language: 'en' } as unknown as OperationsDeps;
      const by = { actor: 'Jón', reason: 'a test' };
      const input = name === 'mark-posted' ? { entry: 'K-4711' } : {};
      for (const [given, person] of [
        [deps, { ...by, role: 'viewer' as const }],
        [{ ...deps, reach: new Map([['hraun', 'viewer' as const]]) }, by],
      ] as const)
        for (const does of [runAct, previewAct])
          await expect(does(given, name, ['p'], input, person)).rejects.toMatchObject({
            code: 'COMPANY_ROLE',
          });
    },
  );

  it.each(ACTIONS)('%s takes what its fields declare and nothing else', (name) => {
    const { input } = actNamed(name);
    const given = Object.fromEntries(
      Object.entries(input).map(([key, field]) => [key, sampleOf(field).value]),
    );
    expect(checkedInput(input, given)).toEqual(given);
    expect(() => checkedInput(input, { ...given, beside: true })).toThrow(/beside/);
    for (const [key, { kind }] of Object.entries(input))
      expect(() => checkedInput(input, { ...given, [key]: kind === 'flag' ? 'yes' : 4.5 }), key).toThrow(key);
  });
});
