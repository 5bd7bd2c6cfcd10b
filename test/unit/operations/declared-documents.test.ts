// A filter that is declared is offered everywhere, read alike and leads to a condition; a column has a heading wherever it is shown.
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addFields, readFields } from '../../../src/cli/fields.js';
import { MESSAGES } from '../../../src/dashboard/language/messages.js';
import { filtersOf, queryOf } from '../../../src/dashboard/routes/lists.js';
import { DOCUMENTS } from '../../../src/operations/document-list.js';
import { DOCUMENT_FIELDS } from '../../../src/operations/document-query.js';
import { checkedInput, queryShape } from '../../../src/operations/field-schemas.js';
import type { Field } from '../../../src/operations/fields.js';
import { searchSql } from '../../../src/store/operations/document-search.js';
import { sampleOf } from './field-samples.js';

const filters: readonly (readonly [string, Field])[] = Object.entries(DOCUMENTS.filters);

describe('a declared filter of documents', () => {
  it.each(filters)('%s is read alike by the command, the API and the page', (name, field) => {
    const { typed, value } = sampleOf(field);
    const wanted = { [name]: value };
    const long = /--[\w-]+/.exec(field.cli ?? '')?.[0];
    if (long !== undefined) {
      const command = addFields(new Command(), DOCUMENTS.filters).exitOverride();
      command.parse([long, typed], { from: 'user' });
      expect(readFields(DOCUMENTS.filters, [], command.opts())).toEqual(wanted);
    }
    if (field.page || name === 'text')
      expect(queryOf(filtersOf({ [field.address ?? name]: typed }), null)).toMatchObject(wanted);
    const inAddress = { [name]: [value].flat().join(',') };
    expect(z.strictObject(queryShape(DOCUMENTS.filters)).parse(inAddress)).toEqual(wanted);
    expect(checkedInput(DOCUMENT_FIELDS, wanted)).toEqual(wanted);
  });

  // The text leads to candidates instead.
  it.each(filters.filter(([name]) => name !== 'text'))(
    '%s leads to a condition of the search',
    (name, field) => {
      const sqlOf = (given: object) => searchSql({ ...given, limit: 1, order: 'issued' }, null).sql;
      expect(sqlOf({ [name]: sampleOf(field).value })).not.toBe(sqlOf({}));
    },
  );
});

it.each(Object.entries(MESSAGES))(
  'filters and columns of the page have a name in %s, and no other has',
  (_language, text) => {
    const offered = filters.filter(([, { page }]) => page).map(([name]) => name);
    expect(Object.keys(text.documents.filters).toSorted()).toEqual(offered.toSorted());
    expect(Object.keys(text.documents.columns).toSorted()).toEqual(DOCUMENTS.page.toSorted());
  },
);

it('columns of the command line have a heading', () => {
  for (const name of DOCUMENTS.cli) expect(DOCUMENTS.columns[name], name).toHaveProperty('heading');
});
