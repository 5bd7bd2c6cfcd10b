import { expect, test } from 'vitest';
import { fieldsInOrder } from '../../../src/domain/canonical-json.js';

const inOrder = (...names: string[]) => fieldsInOrder(names).map(({ written }) => written);

test('the fields of an object come in order, each as JSON writes it', () => {
  expect(inOrder('b', 'a"', 'A')).toEqual(['"A":', '"a\\"":', '"b":']);
});

test('another list of as many names is another list, however many there have been', () => {
  for (let index = 0; index < 100; index++) {
    const name = `n${index}`;
    expect(inOrder('z', name)).toEqual([`"${name}":`, '"z":']);
    expect(inOrder(name, 'z')).toEqual([`"${name}":`, '"z":']);
    expect(inOrder('x', 'y')).toEqual(['"x":', '"y":']);
  }
});

test('lists of many lengths are not all kept, and still in order', () => {
  for (let length = 1; length < 450; length++) {
    const names = Array.from({ length }, (_, index) => `${length - index}`.padStart(3, '0'));
    expect(fieldsInOrder(names).map(({ name }) => name)).toEqual(names.toSorted());
  }
});
