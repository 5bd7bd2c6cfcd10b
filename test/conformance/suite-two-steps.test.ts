// The suite as a judge of adapters that book in two requests and make customers: each breaks one promise, quietly.
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../src/domain/journal.js';
import { judge, type Mutation, NOTHING } from '../support/erp/mutants.js';
import type { FakeReply, FakeRequest, FakeVendor } from '../support/fakes/fake-server.js';
import { odooTarget, openOdooBooks } from './targets/odoo.js';

const renumbered = (journal: Journal): Journal => ({
  ...journal,
  ...(journal.party ? { party: { ...journal.party, kennitala: `${journal.party.kennitala}9` } } : {}),
  lines: journal.lines.map((line) =>
    line.counterparty === undefined ? line : { ...line, counterparty: `${line.counterparty}9` },
  ),
});

const answered = (body: string): FakeReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

/** Odoo, but for some requests that are answered without it. */
function instead(answer: (path: string) => FakeReply | null): (odoo: FakeVendor) => FakeVendor {
  return (odoo) =>
    new Proxy(odoo, {
      get(vendor, name) {
        const value: unknown = Reflect.get(vendor, name);
        if (name === 'answer')
          return (request: FakeRequest) => answer(request.url.pathname) ?? vendor.answer(request);
        return typeof value === 'function' ? (value.bind(vendor) as unknown) : value;
      },
    });
}

/** Finds nobody before it has made somebody, so that the adapter is as one that never looked. */
function withoutPartners(): (odoo: FakeVendor) => FakeVendor {
  let isMade = false;
  return instead((path) => {
    isMade ||= path.endsWith('/res.partner/load');
    return path.endsWith('/res.partner/search_read') && !isMade ? answered('[]') : null;
  });
}

/** Leaves what was paid against its invoice, so that the adapter is as one that knows nothing of payments that are taken back. */
const keepingPayments = instead((path) =>
  path.endsWith('/remove_move_reconcile') ? answered('null') : null,
);

const BELIEVED = { 'rate-limited': /answered 429/, unavailable: /answered 503/ };

describe('the suite catches an adapter of two steps that', () => {
  test.each(['rate-limited', 'unavailable'] as const)('believes a proxy that says %s', async (said) => {
    const twoSteps = await odooTarget.open();
    const credulous: Mutation = (erp) => ({
      async post(prepared) {
        const outcome = await erp.post(prepared);
        const isBelieved = outcome.outcome === 'unknown' && BELIEVED[said].test(outcome.message);
        return isBelieved ? { ...outcome, outcome: 'transient' } : outcome;
      },
    });
    try {
      const judged = await judge(twoSteps, 'gateway-answers', credulous);
      expect(judged.detail).toMatch(/(429|503) of a proxy → /);
    } finally {
      await twoSteps.close();
    }
  });

  test('posts without a look at the draft that is there', async () => {
    const twoSteps = await odooTarget.open();
    // It searches under a key that nothing has, and creates what was prepared.
    const hasty: Mutation = (erp) => ({
      post: ({ request }) => erp.post({ key: `I${'A'.repeat(19)}`, request }),
    });
    try {
      const id = 'killed-after-create-post';
      expect(await judge(twoSteps, id, NOTHING)).toMatchObject({ result: 'passed' });
      expect((await judge(twoSteps, id, hasty)).detail).toMatch(/1 entries and 1 drafts|2 drafts/);
    } finally {
      await twoSteps.close();
    }
  });

  test('makes a customer under a number that is not its kennitala', async () => {
    const withPartners = await odooTarget.open();
    const renumbering: Mutation = (erp) => ({
      prepare: ({ key, journal }) => erp.prepare({ key, journal: renumbered(journal) }),
    });
    try {
      expect(await judge(withPartners, 'new-party-once', NOTHING)).toMatchObject({ result: 'passed' });
      const judged = await judge(withPartners, 'new-party-once', renumbering);
      expect(judged.detail).toMatch(/the ERP has 0 customers with kennitala/);
    } finally {
      await withPartners.close();
    }
  });

  test('does not look whether a customer is there before it makes one', async () => {
    const honest = await openOdooBooks({});
    const blindly = await openOdooBooks({}, withoutPartners());
    try {
      expect(await judge(honest, 'known-party', NOTHING)).toMatchObject({ result: 'passed' });
      expect((await judge(blindly, 'known-party', NOTHING)).detail).toMatch(/2 customers with kennitala/);
    } finally {
      await honest.close();
      await blindly.close();
    }
  });

  test('does nothing about a payment that is found and stands against no invoice', async () => {
    const bed = await openOdooBooks({ books: 'documents' });
    const idle: Mutation = () => ({ match: () => Promise.resolve(undefined) });
    try {
      const id = 'matched-after-crash';
      expect(await judge(bed, id, NOTHING)).toMatchObject({ result: 'passed' });
      expect((await judge(bed, id, idle)).detail).toMatch(/of the invoice 12400 is left to pay/);
    } finally {
      await bed.close();
    }
  });

  test("overlooks which bill a supplier's credit note is for", async () => {
    const bed = await openOdooBooks({ books: 'documents' });
    const careless: Mutation = (erp) => ({
      prepare: ({ key, journal: { appliesToNo: _overlooked, ...journal } }) => erp.prepare({ key, journal }),
    });
    try {
      expect(await judge(bed, 'bill-credited', NOTHING)).toMatchObject({ result: 'passed' });
      expect((await judge(bed, 'bill-credited', careless)).detail).toMatch(/invoice 6200 is left to pay/);
    } finally {
      await bed.close();
    }
  });

  test('leaves an invoice paid whose payment was taken back', async () => {
    const bed = await openOdooBooks({ books: 'documents' }, keepingPayments);
    try {
      expect((await judge(bed, 'payment-taken-back', NOTHING)).detail).toMatch(/invoice 0 is left to pay/);
    } finally {
      await bed.close();
    }
  });

  test('denies a draft that could not be taken away', async () => {
    const twoSteps = await odooTarget.open();
    const denying: Mutation = (erp) => ({
      async post(prepared) {
        const outcome = await erp.post(prepared);
        return outcome.outcome === 'draft'
          ? { outcome: 'rejected', code: 'invalid', message: 'Not today' }
          : outcome;
      },
    });
    try {
      expect(await judge(twoSteps, 'clean-up-fails', NOTHING)).toMatchObject({ result: 'passed' });
      expect((await judge(twoSteps, 'clean-up-fails', denying)).detail).toMatch(
        /a draft is there, and post said/,
      );
    } finally {
      await twoSteps.close();
    }
  });

  test('says "transient" although its draft is in the ERP', async () => {
    const twoSteps = await odooTarget.open();
    const forgetful: Mutation = (erp) => ({
      async post(prepared) {
        const outcome = await erp.post(prepared);
        return outcome.outcome === 'unknown'
          ? { ...outcome, outcome: 'transient', retryAfterMs: 7_000 }
          : outcome;
      },
    });
    try {
      for (const id of ['rate-limit', 'server-error'] as const) {
        const judged = await judge(twoSteps, id, forgetful);
        expect(judged.detail).toMatch(id === 'rate-limit' ? /drafts: 1/ : /500 → /);
      }
    } finally {
      await twoSteps.close();
    }
  });
});
