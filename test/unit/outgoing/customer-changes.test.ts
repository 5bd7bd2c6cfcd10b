// Which side wins, field by field, when an origin and the service say something else of a customer.
import { expect, test } from 'vitest';
import { customerChanges } from '../../../src/pipeline/outgoing/make-request.js';

const FOUND = {
  guid: 'g-1',
  fields: { name: 'Prufa', email: 'ny@b.is', city: '', registration_no: '5402696029', tax_exempt: '0' },
};
const CONTENT = {
  ...{
    kennitala: '5402696029',
    name: 'Prufa ehf.',
    email: 'gomul@b.is',
    city: 'Reykjavík',
    tax_exempt: false,
  },
};

test('the origin wins where nothing else is said, and only what differs is sent', () => {
  expect(customerChanges(CONTENT, FOUND)).toMatchObject({
    ...{ act: 'update', kind: 'customer', guid: 'g-1' },
    body: { name: 'Prufa ehf.', email: 'gomul@b.is', city: 'Reykjavík' },
  });
});

test('where the service wins what it has stays, and what it lacks is filled in', () => {
  const { body } = customerChanges(CONTENT, FOUND, ['email', 'city'])!;
  expect(body).toEqual({ name: 'Prufa ehf.', city: 'Reykjavík' });
});

test('nothing is sent when nothing is left that the origin may change', () => {
  expect(customerChanges(CONTENT, FOUND, ['name', 'email', 'city'])?.body).toEqual({ city: 'Reykjavík' });
  const whole = { ...FOUND, fields: { ...FOUND.fields, city: 'Akureyri' } };
  expect(customerChanges(CONTENT, whole, ['name', 'email', 'city'])).toBeNull();
});
