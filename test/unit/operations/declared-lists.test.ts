// The filters of a list are declared once: its command has their options, its route their names.
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES } from '../../../src/api/routes.js';
import { registerOutgoing } from '../../../src/cli/outgoing.js';
import { registerAudit } from '../../../src/cli/records.js';
import { readFields } from '../../../src/cli/fields.js';
import { queryShape } from '../../../src/operations/field-schemas.js';
import type { Fields } from '../../../src/operations/fields.js';
import { AUDIT, SUBMISSIONS } from '../../../src/operations/lists.js';
import { fakeIo } from '../cli/run-cli.js';
import { sampleOf } from './field-samples.js';

const program = new Command();
for (const register of [registerAudit, registerOutgoing])
  register(program, fakeIo().io, () => Promise.resolve(program));
const named = (within: Command, name: string) => within.commands.find((one) => one.name() === name)!;

describe.each([
  ['audit', named(program, 'audit'), AUDIT as Fields],
  ['submissions', named(named(program, 'outgoing'), 'list'), SUBMISSIONS as Fields],
] as const)('the list of %s', (name, command, fields) => {
  it.each(Object.entries(fields))('reads %s alike from an option and from an address', (key, field) => {
    const { typed, value } = sampleOf(field);
    const option = command.options.find(({ long }) => field.cli?.includes(long ?? '-'));
    expect(option?.description).toBe(field.help);
    const given = { [option?.attributeName() ?? '']: field.kind === 'flag' ? true : typed };
    expect(readFields(fields, [], given)).toEqual({ [key]: value });
    const route = ROUTES.find(({ path, method }) => path === `/${name}` && method === 'get');
    expect(Object.keys(route?.query?.shape ?? {})).toContain(key);
    expect(z.strictObject(queryShape(fields)).parse({ [key]: String(value) })).toEqual({ [key]: value });
  });
});
