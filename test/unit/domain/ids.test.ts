import { expect, expectTypeOf, it } from 'vitest';
import type { Guid, IsoDate, PostingKey, TenantName } from '../../../src/domain/ids.js';
import { postingKey } from '../../../src/domain/posting-key.js';

it('the compiler refuses a guid where a key, a tenant or a day belongs, and takes a plain text for any of them', () => {
  expectTypeOf<Guid>().not.toExtend<PostingKey>();
  expectTypeOf<TenantName>().not.toExtend<Guid>();
  expectTypeOf<PostingKey>().not.toExtend<TenantName>();
  expectTypeOf<IsoDate>().not.toExtend<Guid>();
  expectTypeOf<string>().toExtend<Guid>();
  expectTypeOf(postingKey).returns.toEqualTypeOf<PostingKey>();
  const find = (tenant: TenantName, guid: Guid) => `${tenant} ${guid}`;
  const tenant: TenantName = 'hraun';
  const guid: Guid = 'b6c1';
  // @ts-expect-error -- the two are exchanged
  expect(find(guid, tenant)).toBe('b6c1 hraun');
});
