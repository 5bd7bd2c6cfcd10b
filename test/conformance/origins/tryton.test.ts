// A real trytond, held to what the port of origins promises.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OriginCase } from '../../../src/origins/conformance/origin-case.js';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import type { OriginTarget } from '../../../src/origins/conformance/target.js';
import { has } from '../../support/services.js';
import { trytonPlace, type TrytonPlace } from './tryton-beds.js';

describe.skipIf(!has('trytond'))('Tryton as an origin', () => {
  let place: TrytonPlace;
  beforeAll(async () => {
    place = await trytonPlace();
  }, 240_000);
  afterAll(() => place.stop());

  const passes = async (target: OriginTarget, each: OriginCase) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  };

  // What is not Tryton's own (reading page by page, keeping what cannot be read) is the code of all ERPs, and shown with Odoo, a hundred
  // times as quick; `FULL=1` shows it here as well.
  const isFull = process.env['FULL'] === '1';
  const own = ['lists-new', 'well-formed', 'changed', 'told-created', 'told-is-no-change', 'read-one'];
  const more = [
    'not-again',
    'again-after-crash',
    'bad-mended',
    'removed',
    'told-twice',
    'outage-is-not-empty',
    'named-files',
    'named-file-changed',
  ];
  const casesOf = (ids: readonly string[]) => ORIGIN_CASES.filter(({ id }) => isFull || ids.includes(id));
  const ofParties = casesOf(own).filter(({ id }) => own.includes(id) || id === 'tell-gone' || id === 'empty');
  const ofInvoices = casesOf([...own, ...more]);
  test.each(ofParties.map((each) => [each.title, each] as const))('of customers: %s', (_title, each) =>
    passes(place.customers, each),
  );

  test.each(casesOf([...own, 'bad-mended']).map((each) => [each.title, each] as const))(
    'of items: %s',
    (_title, each) => passes(place.items, each),
  );

  test.each(ofInvoices.map((each) => [each.title, each] as const))('of invoices: %s', (_title, each) =>
    passes(place.invoices, each),
  );
});
