// Each kind of broken tenant file, with the exact line that a person gets.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asSaid } from '../../../src/language/messages.js';
import { schemaSaid } from '../../../src/language/schema-texts.js';
import { problemInWords } from '../../../src/operations/mend-file.js';
import { changed, type Files, GOOD, load, problemsOf, tenantDirectory } from './tenant-directory.js';

const one = (text: string | Uint8Array): Files => ({ 'hraun.yaml': text });
const laughs = Array.from({ length: 9 }, (_, level) => {
  const items =
    level === 0
      ? 'ha, ha, ha, ha, ha, ha, ha, ha, ha'
      : Array(9)
          .fill(`*l${String(level - 1)}`)
          .join(', ');
  return `l${String(level)}: &l${String(level)} [${items}]`;
}).join('\n');

const KINDS: readonly (readonly [kind: string, files: Files, said: readonly string[]])[] = [
  [
    'an empty file',
    one(''),
    ['hraun.yaml:1:1: error: The file is empty. Write a starter with `ledgerbridge tenant init <name>`.'],
  ],
  [
    'a file of comments only',
    one('# later\n'),
    ['hraun.yaml:1:1: error: The file is empty. Write a starter with `ledgerbridge tenant init <name>`.'],
  ],
  [
    'an ERP that would send a sale twice',
    one(
      `${GOOD}outgoing:\n  origins:\n    - name: erp\n      type: erp\n      since: 2026-11-01\n      hands: [orders, invoices]\n`,
    ),
    [
      'hraun.yaml:22:7: error: outgoing.origins.0.hands: With orders, invoices together a sale goes out twice: the ERP makes one of the other. Hand over one of them; quotes may go beside it as quotes.',
      'hraun.yaml:22:7: error: outgoing.origins.0.hands: The ERP "paper-ledger" cannot hand over orders, invoices. Take it out of `hands`, or use another origin for it.',
    ],
  ],
  [
    'patterns of files that fit nothing, or that nothing goes with',
    one(
      `${GOOD}outgoing:\n  origins:\n    - name: erp\n      type: erp\n      since: 2026-11-01\n      hands: [orders]\n      files:\n        - "*.pdf"\n        - a/b\n    - name: shop\n      type: folder\n      directory: shop\n      embedded: ["*.pdf"]\n`,
    ),
    [
      'hraun.yaml:22:7: error: outgoing.origins.0.hands: The ERP "paper-ledger" cannot hand over orders. Take it out of `hands`, or use another origin for it.',
      'hraun.yaml:23:7: error: outgoing.origins.0.files: Files go with invoices alone, and nothing that this origin hands over becomes one. Take files out, or hand over invoices, or orders with orders: invoice.',
      'hraun.yaml:25:11: error: outgoing.origins.0.files.1: This is no pattern of file names: up to 100 signs with * and ? in them, none of them a slash; ! before it leaves files out. See docs/reference/tenants.md.',
      'hraun.yaml:29:7: error: outgoing.origins.1.embedded: Files go with invoices alone, and nothing that this origin hands over becomes one. Take embedded out, or say orders: invoice.',
    ],
  ],
  [
    'files that no surface would take',
    one(
      `${GOOD.replace(/(type: credentials)/, '$1\n    surface: agent')}outgoing:\n  origins:\n    - { name: shop, type: folder, directory: shop, orders: invoice, embedded: ["*"] }\n`,
    ),
    [
      'hraun.yaml:20:69: error: outgoing.origins.0.embedded: The agent surface of the service has no way to upload files, so that every invoice with one would be refused. Take embedded out, or sign in with type: credentials on the credential surface.',
    ],
  ],
  [
    'a file that is not UTF-8',
    one(Buffer.from('name: hraun\ntitle: Fjör\u00f0ur\n', 'latin1')),
    ['hraun.yaml:1:1: error: The file is not UTF-8 text. Save it again with the encoding UTF-8.'],
  ],
  [
    'a file that is too large',
    one(`# ${'x'.repeat(300 * 1024)}`),
    [
      'hraun.yaml:1:1: error: The file is larger than 256 KiB. Move shared rules into a file of their own and name it under rules.extends.',
    ],
  ],
  [
    'a file with a wrong ending',
    { 'hraun.yml': GOOD },
    [
      'hraun.yml:1:1: error: Only files that end in .yaml are read as tenants. Rename it to hraun.yaml, or move it elsewhere.',
    ],
  ],
  [
    'a list instead of keys',
    one('- hraun\n'),
    [
      'hraun.yaml:1:1: error: A tenant file must be a group of keys. Begin with name:, title: and source:; `ledgerbridge tenant init <name>` writes a starter.',
    ],
  ],
  [
    'tabs',
    one('name: hraun\nsource:\n\tenvironment: production\n'),
    ['hraun.yaml:3:1: error: The line is indented with a tab. Indent with spaces, two a level.'],
  ],
  [
    'bad indentation',
    one('source:\n    environment: production\n  baseUrl: x\n'),
    [
      'hraun.yaml:3:1: error: The indentation does not fit the lines above. Line the keys of one level up under each other, two spaces a level.',
    ],
  ],
  [
    'a key twice',
    one(changed(['title: Hraun slf.', 'title: Hraun slf.\ntitle: Hraun ehf.'])),
    ['hraun.yaml:3:1: error: The key "title" stands here twice. Keep one of the two.'],
  ],
  [
    'two documents in one file',
    one(`${GOOD}---\nname: other\n`),
    [
      'hraun.yaml:17:1: error: The file holds more than one document (a line `---` in the middle). Keep one tenant per file.',
    ],
  ],
  [
    'a quote that is not closed',
    one(changed(['title: Hraun slf.', 'title: "Hraun slf.'])),
    ['hraun.yaml:2:8: error: A quoted text is never closed. Add the missing quote.'],
  ],
  [
    'a bracket that is not closed',
    one('name: hraun\nrules:\n  extends: [default\ntitle: x\n'),
    [
      'hraun.yaml:4:1: error: A bracket is never closed, or a comma is missing. Close the bracket, or write one item per line with "- ".',
    ],
  ],
  [
    'a cron expression without quotes',
    one(changed(['cutOver', 'schedule:\n  cron: */5 * * * *\ncutOver'])),
    [
      "hraun.yaml:11:13: error: The value begins with a star, which YAML takes for an alias. Put it in quotes, for example cron: '*/5 * * * *'.",
    ],
  ],
  [
    'an alias to nowhere',
    one(changed(['title: Hraun slf.', 'title: *hraun'])),
    [
      'hraun.yaml:2:8: error: The alias *hraun points to an anchor that does not exist. Put the text in quotes if a star was meant.',
    ],
  ],
  [
    'aliases that multiply',
    one(`${laughs}\n`),
    ['hraun.yaml:1:1: error: The aliases in this file multiply it beyond reason. Write the values out.'],
  ],
  [
    'a YAML tag',
    one(changed(['title: Hraun slf.', 'title: !js Hraun'])),
    [
      'hraun.yaml:2:8: error: The value carries a YAML tag (!…) that means nothing here. Remove the tag, or put the value in quotes.',
    ],
  ],
  [
    'endless nesting',
    one(`name: ${'['.repeat(40)}${']'.repeat(40)}\n`),
    [
      'hraun.yaml:1:39: error: The file is nested deeper than 32 levels. Flatten it; no setting stands that deep.',
    ],
  ],
  [
    'a key that reaches into objects',
    one(`${GOOD}__proto__: {paused: true}\n`),
    ['hraun.yaml:17:1: error: The key "__proto__" is not allowed. Remove it or write it as plain text.'],
  ],
  [
    'a misspelt key',
    one(changed(['environment:', 'enviroment:'])),
    ['hraun.yaml:4:3: error: source.enviroment: Unknown key "enviroment". Did you mean "environment"?'],
  ],
  [
    'a key in another habit of writing',
    one(changed(['baseUrl:', 'base_url:'])),
    ['hraun.yaml:5:3: error: source.base_url: Unknown key "base_url". Did you mean "baseUrl"?'],
  ],
  [
    'an unknown key',
    one(`${GOOD}colour: red\n`),
    [
      'hraun.yaml:17:1: error: colour: Unknown key "colour". Known here: name, title, source, cutOver, schedule, erp, rules, limits, weight, notifications, originals, outgoing, fourEyes, paused.',
    ],
  ],
  [
    'a missing key',
    one(changed(['title: Hraun slf.\n', ''])),
    ['hraun.yaml:1:1: error: title: "title" is missing. Add it: The company, as people call it.'],
  ],
  [
    'a missing group',
    one(changed([GOOD.slice(GOOD.indexOf('source:'), GOOD.indexOf('cutOver')), ''])),
    ['hraun.yaml:1:1: error: source: "source" is missing. Add it: The account at the invoicing service.'],
  ],
  [
    'an empty group',
    one(changed([GOOD.slice(GOOD.indexOf('  environment:'), GOOD.indexOf('cutOver')), ''])),
    ['hraun.yaml:3:1: error: source: "source" is missing. Add it: The account at the invoicing service.'],
  ],
  [
    'a bad name',
    one(changed(['name: hraun', 'name: Hraun slf.'])),
    [
      'hraun.yaml:1:7: error: name: This is not a tenant name. Short name, unique and never changed: 1 to 40 of a–z, 0–9 and "-", a letter first.',
    ],
  ],
  [
    'an unknown environment',
    one(changed(['environment: production', 'environment: produktion'])),
    [
      'hraun.yaml:4:16: error: source.environment: "produktion" is not a value of "environment". Did you mean "production"?',
    ],
  ],
  [
    'a maintenance code for production',
    one(changed(['  auth:', '  maintenanceCode: env:MAINT\n  auth:'])),
    [
      'hraun.yaml:6:3: error: source.maintenanceCode: A maintenance code must never be sent to production. Remove maintenanceCode, or set environment: development.',
    ],
  ],
  [
    'development without its code',
    one(changed(['environment: production', 'environment: development'])),
    [
      'hraun.yaml:3:1: error: source.maintenanceCode: "maintenanceCode" is missing. Add it: Where the maintenance code of the development environment is kept: env:NAME or file:path.',
    ],
  ],
  [
    'http',
    one(changed(['https://invoicing', 'http://invoicing'])),
    [
      'hraun.yaml:5:12: error: source.baseUrl: http would send the credentials in the clear. Use https://invoicing.example; http is accepted only for localhost, 127.0.0.1 and [::1].',
    ],
  ],
  [
    'a base URL with the API path',
    one(changed(['invoicing.example', 'invoicing.example/api/v1/'])),
    [
      'hraun.yaml:5:12: error: source.baseUrl: The base URL must not contain /api/v1. Write https://invoicing.example; the bridge adds the rest.',
    ],
  ],
  [
    'a base URL with a password',
    one(changed(['https://', 'https://hraun:hunter2@'])),
    [
      'hraun.yaml:5:12: error: source.baseUrl: The address carries a username or password. Remove them from the address; secrets are named by reference (env:NAME or file:path).',
    ],
  ],
  [
    'a base URL that is none',
    one(changed(['https://invoicing.example', 'invoicing.example'])),
    [
      'hraun.yaml:5:12: error: source.baseUrl: This is not an address. Write it in full, for example https://invoicing.example.',
    ],
  ],
  [
    'a secret written out',
    one(changed(['env:HRAUN_API_KEY', 'k3y-hunter2-very-secret'])),
    [
      'hraun.yaml:9:13: error: source.auth.apiKey: "apiKey" must name a secret, not contain one. Write env:NAME or file:path, and change the secret if it was ever saved here.',
    ],
  ],
  [
    'a secret written out as a number',
    one(changed(['env:HRAUN_API_KEY', '123456789'])),
    [
      'hraun.yaml:9:13: error: source.auth.apiKey: "apiKey" must name a secret, not contain one. Write env:NAME or file:path, and change the secret if it was ever saved here.',
    ],
  ],
  [
    'a kennitala that is none',
    one(changed(['  auth:', "  registrationNo: '12345'\n  auth:"])),
    [
      'hraun.yaml:6:19: error: source.registrationNo: This is not a kennitala. Kennitala of the account, in quotes: ten digits. Given, the bridge refuses to work on any other account.',
    ],
  ],
  [
    'an unknown way to sign in',
    one(changed(['type: credentials', 'type: password'])),
    [
      'hraun.yaml:7:11: error: source.auth.type: "password" is not a value of "type". Use one of: credentials, oauth.',
    ],
  ],
  [
    'an agent id on the wrong surface',
    one(changed(['    username', '    agentId: abc\n    username'])),
    [
      'hraun.yaml:8:14: error: source.auth.agentId: agentId means something only on the agent surface. Add surface: agent, or remove agentId.',
    ],
  ],
  [
    'an http redirect address',
    one(
      changed([
        GOOD.slice(GOOD.indexOf('    type:'), GOOD.indexOf('cutOver')),
        '    type: oauth\n    clientId: abc\n    redirectUri: http://bridge.example/back\n',
      ]),
    ),
    [
      'hraun.yaml:9:18: error: source.auth.redirectUri: The address must be https. Write https://bridge.example…',
    ],
  ],
  [
    'an unknown scope',
    one(
      changed([
        GOOD.slice(GOOD.indexOf('    type:'), GOOD.indexOf('cutOver')),
        '    type: oauth\n    clientId: abc\n    redirectUri: https://bridge.example/back\n    scopes: [nav, costs]\n',
      ]),
    ),
    [
      'hraun.yaml:10:19: error: source.auth.scopes.1: "costs" is not a value of "scopes". Did you mean "cost"?',
    ],
  ],
  [
    'a date that is none',
    one(changed(['2026-01-01', '2026-02-30'])),
    [
      'hraun.yaml:10:10: error: cutOver: "cutOver" is not a date. Write it as YYYY-MM-DD, for example 2026-01-31.',
    ],
  ],
  [
    'a date in the local habit',
    one(changed(['2026-01-01', '1.1.2026'])),
    [
      'hraun.yaml:10:10: error: cutOver: "cutOver" is not a date. Write it as YYYY-MM-DD, for example 2026-01-31.',
    ],
  ],
  [
    'a cron expression that is none',
    one(changed(['cutOver', "schedule:\n  cron: 'every 5 min'\ncutOver"])),
    [
      `hraun.yaml:11:9: error: schedule.cron: "every 5 min" is not a cron expression. Write five fields, for example '*/5 * * * *' (every five minutes).`,
    ],
  ],
  [
    'a time zone that is none',
    one(changed(['cutOver', 'schedule:\n  timeZone: Atlantic/Reykjavík\ncutOver'])),
    [
      'hraun.yaml:11:13: error: schedule.timeZone: "Atlantic/Reykjavík" is not a time zone. Did you mean "Atlantic/Reykjavik"?',
    ],
  ],
  [
    'an adapter that is misspelt',
    one(changed(['adapter: paper-ledger', 'adapter: paperledgr'])),
    [
      'hraun.yaml:12:12: error: erp.adapter: There is no ERP adapter "paperledgr". Did you mean "paper-ledger"?',
    ],
  ],
  [
    'an adapter that is unknown',
    one(changed(['adapter: paper-ledger', 'adapter: sap'])),
    [
      'hraun.yaml:12:12: error: erp.adapter: There is no ERP adapter "sap". Known: paper-ledger; or the name of a package with a scope, such as @acme/ledgerbridge-erp.',
    ],
  ],
  [
    'a misspelt adapter setting',
    one(changed(['    file:', '    fil:'])),
    ['hraun.yaml:14:5: error: erp.settings.fil: Unknown key "fil". Did you mean "file"?'],
  ],
  [
    'a secret written out in adapter settings',
    one(changed(['    file:', '    token: hunter2\n    file:'])),
    [
      'hraun.yaml:14:12: error: erp.settings.token: "token" must name a secret, not contain one. Write env:NAME or file:path, and change the secret if it was ever saved here.',
    ],
  ],
  [
    'a wrong value in adapter settings',
    one(changed(['    file:', '    format: hledgr\n    file:'])),
    [
      'hraun.yaml:14:13: error: erp.settings.format: This is not a value of "format". Use one of: hledger, beancount.',
    ],
  ],
  [
    'bundled rules that do not exist',
    one(changed([/extends: .*/.exec(GOOD)![0], 'extends: [defualt]'])),
    [
      'hraun.yaml:16:13: error: rules.extends.0: There are no bundled rules "defualt". Did you mean "default"?',
    ],
  ],
  [
    'a rules file that does not exist',
    one(changed([/extends: .*/.exec(GOOD)![0], 'extends: [./shared.yaml]'])),
    [
      'hraun.yaml:16:13: error: rules.extends.0: There is no rules file "./shared.yaml". Paths start at the directory of the tenant file.',
    ],
  ],
  [
    'an account without quotes',
    one(`${GOOD}  accounts: {receivable: 0100}\n`),
    [
      'hraun.yaml:17:26: error: rules.accounts.receivable: Expected text, found a number. Put it in quotes: "0100".',
    ],
  ],
  [
    'a misspelt rule',
    one(`${GOOD}  cost:\n    codez: {}\n`),
    ['hraun.yaml:18:5: error: rules.cost.codez: Unknown key "codez". Did you mean "codes"?'],
  ],
  [
    'a wrong rule in a shared file',
    {
      'hraun.yaml': `${GOOD.trimEnd().slice(0, -1)}, rules/ours.yaml]\n`,
      'rules/ours.yaml': 'cost:\n  whenXmlMissing: wait\n',
    },
    [
      'rules/ours.yaml:2:19: error: cost.whenXmlMissing: "wait" is not a value of "whenXmlMissing". Use one of: defer, reject, error, assumeInvoice.',
    ],
  ],
  [
    'a limit out of bounds',
    one(`${GOOD}limits:\n  source:\n    concurrency: 500\n`),
    [
      'hraun.yaml:19:18: error: limits.source.concurrency: "concurrency" must be at most 64. Requests at once; 4 unless given.',
    ],
  ],
  [
    'a fraction for a whole number',
    one(`${GOOD}weight: 1.5\n`),
    [
      "hraun.yaml:17:9: error: weight: Expected a whole number, found a fraction. Share of the workers' time relative to other tenants; 1 unless given.",
    ],
  ],
  [
    'text for true or false',
    one(`${GOOD}paused: yes\n`),
    ['hraun.yaml:17:9: error: paused: Expected true or false, found text. true: nothing is swept or posted.'],
  ],
  [
    'a webhook over http',
    one(`${GOOD}notifications:\n  webhooks:\n    - url: http://hooks.example/abc\n`),
    [
      'hraun.yaml:19:12: error: notifications.webhooks.0.url: The address must be https. Write https://hooks.example…',
    ],
  ],
  [
    'an unknown event',
    one(`${GOOD}notifications:\n  webhooks:\n    - {url: env:HOOK, on: [incidents]}\n`),
    [
      'hraun.yaml:19:28: error: notifications.webhooks.0.on.0: "incidents" is not a value of "on". Did you mean "incident"?',
    ],
  ],
];

it('covers at least twenty kinds', () =>
  expect(new Set(KINDS.map(([, , said]) => said.join())).size).toBeGreaterThan(20));

describe('a broken tenant file', () => {
  it.each(KINDS)('says what is wrong and what would be right: %s', async (_kind, files, said) => {
    expect(await problemsOf(files)).toEqual(said);
  });

  const shown = KINDS.filter(([kind]) => kind !== 'a file with a wrong ending');
  it.each(shown)('says it in Icelandic to a reader of the pages: %s', async (_kind, files) => {
    const { problems } = await load(await tenantDirectory(files));
    const icelandic = problems.flatMap((problem) => Object.values(problemInWords('is', problem)));
    expect(icelandic).not.toEqual([]);
    const quoted = /„[^“]*“|`[^`]*`|"[^"]*"|<[^>]*>|(https|file|env):\S+/g;
    const english = /\b(the|is|must|not|and|with|write|put|use|add|file|key|expected|this|of|one)\b/i;
    expect(icelandic.filter((text) => english.test(text.replaceAll(quoted, '')))).toEqual([]);
  });

  it('says in Icelandic what a number may be, in each form that it may have', async () => {
    const files = one(`${GOOD}  fx:\n    table: { GBP: { 2026-10-22: [1] } }\n`);
    const { problems } = await load(await tenantDirectory(files));
    expect(problems.map((problem) => problemInWords('is', problem))).toEqual([
      {
        message:
          'Þetta er á engu af leyfilegum sniðum: Hér á að vera tala, en er listi; eða Hér á að vera texti, en er listi.',
        remedy: 'Hvað á að standa þar er í docs/reference/mapping.md.',
      },
    ]);
    expect(problems[0]?.message).toBe(
      'This fits none of the allowed forms: Expected a number, found a list; or Expected text, found a list.',
    );
  });

  it('quotes the words of a schema that is not ours', () => {
    const foreign = z.string().regex(/^x/, 'must begin with an x');
    const [issue] = foreign.safeParse('y').error?.issues ?? [];
    expect(schemaSaid(issue?.message ?? '')).toEqual(asSaid('must begin with an x'));
  });
});
