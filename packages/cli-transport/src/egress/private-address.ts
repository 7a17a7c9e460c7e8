import { BlockList, isIP } from 'node:net';

/** Not of the open internet: this machine, its networks, multicast, documentation, and what is kept back. */
const CLOSED_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** In the open part of IPv6: documentation, and what has an IPv4 address inside. */
const CLOSED_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const closed = new BlockList();
for (const [net, prefix] of CLOSED_V4) closed.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of CLOSED_V6) closed.addSubnet(net, prefix, 'ipv6');
const openV6 = new BlockList();
openV6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is anything but one of the open internet. What is no address counts as private. */
export function isPrivate(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return closed.check(address, 'ipv4');
  return version !== 6 || !openV6.check(address, 'ipv6') || closed.check(address, 'ipv6');
}
