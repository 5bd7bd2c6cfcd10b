// Another system may repeat a secret in a text of its own, written as that system writes.
import { describe, expect, it } from 'vitest';
import { maskSecrets, Secret } from '../../../src/domain/secret.js';

const VALUE = 'q"uoted +key/=(1)~ þ!';
const secret = new Secret(VALUE);

describe('a secret', () => {
  it.each([
    ['as it is', VALUE],
    ['inside JSON', JSON.stringify(VALUE).slice(1, -1)],
    [
      'inside JSON of PHP, which escapes the slash',
      JSON.stringify(VALUE).slice(1, -1).replaceAll('/', '\\/'),
    ],
    ['in an address', encodeURIComponent(VALUE)],
    ['in a form', new URLSearchParams({ v: VALUE }).toString().slice(2)],
    ['in an address of PHP', 'q%22uoted%20%2Bkey%2F%3D%281%29%7E%20%C3%BE%21'],
  ])('is masked where it is written %s', (_how, written) => {
    expect(maskSecrets(`next_url: /costs?api_key=${written}&page=2`)).toBe(
      'next_url: /costs?api_key=***&page=2',
    );
  });

  it('may hold half a character without breaking anything', () => {
    const broken = new Secret('half-\ud83d-a-character');
    expect(maskSecrets(`x ${broken.reveal()}`)).toBe('x ***');
    expect(String(secret)).toBe('***');
  });

  it('stays known while it is used, however many tokens come and go', () => {
    const key = new Secret('a-key-that-is-sent-all-day');
    const forgotten = new Secret('a-key-that-nobody-uses');
    for (let n = 0; n < 20_000; n++) {
      if (n % 500 === 0) key.reveal();
      new Secret(`token-number-${String(n)}`);
    }
    expect(maskSecrets('sent a-key-that-is-sent-all-day')).toBe('sent ***');
    expect(maskSecrets('a-key-that-nobody-uses')).toBe('a-key-that-nobody-uses');
    expect(maskSecrets(forgotten.reveal())).toBe('***');
  });

  it('is masked for every one of five hundred companies, each with eight of them', () => {
    const keys = Array.from({ length: 4_000 }, (_, n) => new Secret(`company-key/${String(n)}`));
    const written = keys.map((key) => key.reveal()).join(' ');
    expect(maskSecrets(written)).toBe(keys.map(() => '***').join(' '));
  });

  it('is covered wholly where two of them overlap, or one begins with the other', () => {
    const [one, other] = [new Secret('overlap-abcdefgh'), new Secret('efgh-and-further')];
    const longer = new Secret('overlap-abcdefgh-and-much-longer');
    expect(maskSecrets('x overlap-abcdefgh-and-further y')).toBe('x *** y');
    expect(maskSecrets(`x ${longer.reveal()} y ${one.reveal()}${other.reveal()}`)).toBe('x *** y ******');
  });
});
