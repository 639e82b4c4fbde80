import { BlockList, isIP } from 'node:net';

/**
 * Addresses that ipaddr.js, used by the filtering agents, classifies as public unicast, although no public host uses
 * them: services inside a cloud's network, and unallocated IPv6.
 */
const reservedV4 = new BlockList();
/** A separate list: Node compares an IPv4 address with IPv6 subnets too, as `::ffff:a.b.c.d`, and all lie in `::/3`. */
const reservedV6 = new BlockList();

// Azure: the virtual machine's metadata and DNS,
// https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
reservedV4.addAddress('168.63.129.16');
// IBM Cloud: its service network,
// https://cloud.ibm.com/docs/security-groups?topic=security-groups-about-ibm-security-groups
reservedV4.addSubnet('161.26.0.0', 16);
reservedV4.addSubnet('166.8.0.0', 14);
// Only 2000::/3 is global unicast. The range below contains IPv4-compatible (::/96) and NAT64 addresses, which
// embed IPv4 ones.
reservedV6.addSubnet('::', 3, 'ipv6');
reservedV6.addSubnet('4000::', 2, 'ipv6');
reservedV6.addSubnet('8000::', 1, 'ipv6');

/** ISATAP (RFC 5214): any prefix, then `5efe` and an IPv4 address. */
const ISATAP = /:5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/i;

/** Checks whether a literal address is reserved; always false for a name. */
export function isReserved(address: string): boolean {
	const family = isIP(address);
	if (family === 0) return false;
	return family === 4 ? reservedV4.check(address, 'ipv4') : reservedV6.check(address, 'ipv6') || ISATAP.test(address);
}
