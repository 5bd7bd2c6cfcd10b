import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { unreachable, whereabouts } from '../../../src/store/connection.js';

describe('the whereabouts of a database', () => {
  it.each([
    ['postgresql://anna:secret@db.example.is:6543/books', 'db.example.is:6543/books'],
    ['postgres://anna:secret@db.example.is/books?sslmode=require', 'db.example.is:5432/books'],
    ['postgresql:///books?user=anna&host=/run/postgresql', '/run/postgresql:5432/books'],
  ])('of %s are %s: no login, no password', (url, shown) => {
    expect(whereabouts(new Secret(url))).toBe(shown);
  });
});

describe('why a database cannot be used', () => {
  const url = new Secret('postgresql://anna:secret@db/books');
  const failure = (code: string) => Object.assign(new Error('the reason'), { code });

  it.each(['28P01', '28000', '3D000'])('is a refusal for %s: asking again changes nothing', (code) => {
    expect(unreachable(failure(code), url)).toMatchObject({ code: 'DATABASE_REFUSED' });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', '57P03', '53300'])('is something that passes for %s', (code) => {
    expect(unreachable(failure(code), url)).toMatchObject({ code: 'DATABASE_UNREACHABLE' });
  });

  it('is the first reason when a host has several addresses', () => {
    const both = new AggregateError([failure('ECONNREFUSED'), failure('EHOSTUNREACH')]);
    expect(unreachable(both, url).message).toBe(
      'The database at db:5432/books cannot be reached: the reason.',
    );
  });
});
