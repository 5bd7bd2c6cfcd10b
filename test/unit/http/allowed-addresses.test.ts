// Addresses that a tenant file must not make the bridge talk to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isRefusedHost, refusePrivateAddresses } from '../../../src/http/allowed-addresses.js';
import { createHttpClient } from '../../../src/http/http-client.js';

afterEach(() => refusePrivateAddresses(false));

describe('an address', () => {
  it.each(['169.254.169.254', '169.254.0.1', '[fe80::1]', '[fd00:ec2::254]', '[::ffff:169.254.169.254]'])(
    '%s is always refused',
    (host) => {
      expect(isRefusedHost(host)).toBe(true);
    },
  );

  it.each([
    '10.1.2.3',
    '127.0.0.1',
    '192.168.1.1',
    '172.31.0.1',
    '100.64.0.1',
    '[::1]',
    '[fd12::1]',
    '[::ffff:10.0.0.1]',
  ])('%s is refused where private addresses are', (host) => {
    expect(isRefusedHost(host)).toBe(false);
    refusePrivateAddresses(true);
    expect(isRefusedHost(host)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', 'books.example', '[2a00:1450::1]'])('%s never is', (host) => {
    refusePrivateAddresses(true);
    expect(isRefusedHost(host)).toBe(false);
  });
});

describe('a request', () => {
  let calls = 0;
  let port = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.end('{}');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const send = async (host: string) => {
    const origin = `http://${host}:${String(port)}`;
    const client = createHttpClient({ origins: [origin], userAgent: 'test' });
    try {
      return await client.send({ method: 'GET', url: new URL(origin) });
    } finally {
      await client.close();
    }
  };

  it('never leaves for a refused address, whether it is written or a name leads there', async () => {
    expect((await send('localhost')).outcome).toBe('response');
    expect(calls).toBe(1);
    refusePrivateAddresses(true);
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await send(host)).toMatchObject({ outcome: 'failure', reached: 'not-sent' });
    expect(calls).toBe(1);
  });
});
