// Which addresses the bridge talks to. Link-local ones give out the credentials of a cloud's machines and are always refused. Private ones
// are refused where the operator says so. A name is judged by the addresses that it has when the connection is made.
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction, isIPv6 } from 'node:net';

const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16);
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');
/** The IPv6 address of the same service of AWS. */
LINK_LOCAL.addAddress('fd00:ec2::254', 'ipv6');

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits);
PRIVATE.addSubnet('::', 127, 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

let refusesPrivate = false;

/** For the whole process (LEDGERBRIDGE_PRIVATE_ADDRESSES). */
export function refusePrivateAddresses(refuse: boolean): void {
  refusesPrivate = refuse;
}

export function isRefusedAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return LINK_LOCAL.check(address, family) || (refusesPrivate && PRIVATE.check(address, family));
}

/** Of a URL; a name is judged later, by `lookUpAllowed`. */
export function isRefusedHost(hostname: string): boolean {
  return isRefusedAddress(hostname.replace('[', '').replace(']', ''));
}

export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED';

/** As the system looks names up, without addresses that are refused. */
export const lookUpAllowed: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) {
      done(error, '', 0);
      return;
    }
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => isRefusedAddress(address)))
      done(
        Object.assign(new Error(`the address of ${hostname} is refused`), { code: ADDRESS_REFUSED }),
        '',
        0,
      );
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};

// From whom a request comes, for limits: one address of IPv4, and of IPv6 the first 64 bits, which is what one customer is given.

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

export function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return address;
  const [head = '', tail] = bare.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => 0);
  const network = [...before, ...zeros, ...after].slice(0, GROUPS_OF_NETWORK);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
