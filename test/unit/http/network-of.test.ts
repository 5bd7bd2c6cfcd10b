import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../src/api/rate-limit.js';
import { createThrottle } from '../../../src/dashboard/access/throttle.js';
import { networkOf } from '../../../src/http/allowed-addresses.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::1:2:3:4:5', '0:0:0:1::/64'],
  ['no address', 'no address'],
])('%s counts as %s', (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});

describe('somebody with all addresses of a network of IPv6', () => {
  const addresses = Array.from({ length: 100 }, (_, n) => `2001:db8:7:7::${n.toString(16)}`);

  test('has as many tries at a password as somebody with one address', () => {
    const throttle = createThrottle({ max: 30, windowMs: 1_000 });
    expect(addresses.filter((address) => throttle.allows(address, 0))).toHaveLength(30);
    expect(throttle.allows('2001:db8:7:8::1', 0)).toBe(true);
  });

  test('has as many tries at a token', () => {
    const limit = createRateLimit(20, 0.2);
    expect(addresses.filter((address) => limit.take(networkOf(address), 0) === 0)).toHaveLength(20);
  });
});
