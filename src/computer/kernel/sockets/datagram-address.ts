import { isLocal } from '#computer/abi/local-host.ts';
import { errno } from '#computer/abi/errno.ts';

export type Family = 4 | 6;

/** Numeric address with its family, such as `::` and 6. */
export interface HostAddress {
	family: Family;
	address: string;
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
const NUMERIC = /^[\d.]{7,15}$|^[\da-f:.]{2,45}$/;
const ANY = { 4: '0.0.0.0', 6: '::' } as const;
const OWN = { 4: '127.0.0.1', 6: '::1' } as const;

/** Parses the address of a socket; IPv4 may be written as a part of IPv6. @throws EINVAL for another family */
function parse(family: Family, given: string): HostAddress {
	const text = given === '' ? ANY[family] : given.toLowerCase().replace(/%\w+$/, '');
	// A name is not passed on: a receiver gets numbers only, which are short.
	if (!NUMERIC.test(text)) return { family, address: isLocal(text) ? OWN[family] : text };
	const mapped = family === 6 ? MAPPED.exec(text)?.[1] : undefined;
	if (mapped !== undefined) return { family: 4, address: mapped };
	if (text.includes(':') !== (family === 6)) throw errno('EINVAL');
	return { family, address: text };
}

/** Address to bind: one of this machine's, or that of a group. @throws EINVAL, EADDRNOTAVAIL */
export function boundAddress(family: Family, given: string): HostAddress {
	const found = parse(family, given);
	if (isLocal(found.address) || isGroup(found.address)) return found;
	throw errno('EADDRNOTAVAIL', undefined, `${given} is not an address of this sandbox`);
}

/** Address to send to: `any` is this machine. @throws EINVAL, ENETUNREACH for another machine */
export function targetAddress(family: Family, given: string): HostAddress {
	const { family: found, address } = parse(family, given);
	if (address === ANY[found]) return { family: found, address: OWN[found] };
	if (isLocal(address) || isGroup(address) || isBroadcast(address)) return { family: found, address };
	const advice = 'datagrams stay inside the sandbox; reach other hosts by HTTP, with fetch';
	throw errno('ENETUNREACH', undefined, `${given} cannot be reached: ${advice}`);
}

export const isAny = ({ family, address }: HostAddress): boolean => address === ANY[family];

/** Own address in datagrams of a socket that is bound to any. */
export const ownAddress = (bound: HostAddress, family: Family): string => (isAny(bound) ? OWN[family] : bound.address);

/** Returns whether an address is that of a multicast group. */
export const isGroup = (address: string): boolean =>
	/^(22[4-9]|23\d)(\.\d{1,3}){3}$|^ff[\da-f]{2}:[\da-f:.]{1,40}$/.test(address);

export const isBroadcast = (address: string): boolean => address === '255.255.255.255';

/** IPv4 address as sockets of IPv6 see it. */
export const mappedAddress = (address: string): string => `::ffff:${address}`;
