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

  // What is not about parties is the same code as for invoices.
  const own = [
    'empty',
    'lists-new',
    'well-formed',
    'not-again',
    'changed',
    'read-one',
    'told-created',
    'tell-gone',
  ];
  const ofParties = ORIGIN_CASES.filter(({ id }) => own.includes(id));
  test.each(ofParties.map((each) => [each.title, each] as const))('of customers: %s', (_title, each) =>
    passes(place.customers, each),
  );

  test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('of invoices: %s', (_title, each) =>
    passes(place.invoices, each),
  );
});
