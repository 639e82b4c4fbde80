import { inspect } from 'node-inspect-extracted';
import { invalidArgument, invalidValue } from '../../runtime/errors.ts';
import { integer, string } from '../../runtime/validate.ts';
import { addressNumber, type FamilyName, SocketAddress } from './socket-address.ts';

const custom = Symbol.for('nodejs.util.inspect.custom');

/** Prefix of IPv4 addresses within IPv6. */
const MAPPED = 0xffffn << 32n;

const BITS = { ipv4: 32, ipv6: 128 } as const;
const TITLES = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** Addresses from `first` to `last`, and their description. */
interface Rule {
	family: FamilyName;
	first: bigint;
	last: bigint;
	text: string;
}

/** `net.BlockList`: addresses, ranges and subnets, which connections can be checked against. */
export class BlockList {
	/** Newest first, as they are listed. */
	readonly #rules: Rule[] = [];

	static isBlockList(value: unknown): value is BlockList {
		return typeof value === 'object' && value !== null && #rules in value;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_ADDRESS */
	addAddress(address: string | SocketAddress, family: string = 'ipv4'): void {
		const one = addressOf(address, 'address', family);
		const number = addressNumber(one.address);
		this.#add(one.family, number, number, `Address: ${TITLES[one.family]} ${one.address}`);
	}

	/** @throws as `addAddress`, and ERR_INVALID_ARG_VALUE if the end comes first */
	addRange(start: string | SocketAddress, end: string | SocketAddress, family: string = 'ipv4'): void {
		const from = addressOf(start, 'start', family);
		const to = addressOf(end, 'end', family);
		const [first, last] = [addressNumber(from.address), addressNumber(to.address)];
		if (from.family !== to.family || first > last) throw invalidValue('start', from, 'must come before end');
		this.#add(from.family, first, last, `Range: ${TITLES[from.family]} ${from.address}-${to.address}`);
	}

	/** @throws as `addAddress`, and ERR_OUT_OF_RANGE */
	addSubnet(network: string | SocketAddress, prefix: number, family: string = 'ipv4'): void {
		const net = addressOf(network, 'network', family);
		integer(0, BITS[net.family])(prefix, 'prefix');
		const free = BigInt(BITS[net.family] - prefix);
		const first = (addressNumber(net.address) >> free) << free;
		const text = `Subnet: ${TITLES[net.family]} ${net.address}/${prefix}`;
		this.#add(net.family, first, first + (1n << free) - 1n, text);
	}

	/** Returns whether a rule has the address; false for what is none. @throws ERR_INVALID_ARG_TYPE */
	check(address: string | SocketAddress, family: string = 'ipv4'): boolean {
		let one: SocketAddress;
		if (!SocketAddress.isSocketAddress(address)) {
			string(address, 'address');
			string(family, 'family');
		}
		try {
			one = addressOf(address, 'address', family);
		} catch {
			return false;
		}
		const number = addressNumber(one.address);
		return this.#rules.some(({ family: kind, first, last }) => {
			const compared = inFamily(number, one.family, kind);
			return compared !== null && first <= compared && compared <= last;
		});
	}

	get rules(): string[] {
		return this.#rules.map(({ text }) => text);
	}

	toJSON(): string[] {
		return this.rules;
	}

	/**
	 * Adds the rules of `toJSON`; other texts are skipped.
	 * @param data list, or its JSON text
	 * @throws ERR_INVALID_ARG_TYPE, SyntaxError
	 */
	fromJSON(data: unknown): void {
		const list: unknown = typeof data === 'string' ? JSON.parse(data) : data;
		if (!Array.isArray(list) || !list.every((rule) => typeof rule === 'string'))
			throw invalidArgument('data', 'of type string or string[]', data);
		for (const rule of list) this.#parse(rule);
	}

	#parse(rule: string): void {
		const [, kind, version, rest = ''] = /^(Address|Range|Subnet): IPv([46]) (\S+)$/.exec(rule) ?? [];
		const family = `ipv${version}`;
		const [first = '', second = ''] = rest.split(/[-/]/);
		if (kind === 'Address') this.addAddress(rest, family);
		else if (kind === 'Range') this.addRange(first, second, family);
		else if (kind === 'Subnet') this.addSubnet(first, Number(second), family);
	}

	#add(family: FamilyName, first: bigint, last: bigint, text: string): void {
		this.#rules.unshift({ family, first, last, text });
	}

	[custom](depth: number | null, options: object): unknown {
		return depth !== null && depth < 0
			? '[BlockList]'
			: `BlockList ${inspect({ rules: this.rules }, { ...options, depth: depth === null ? null : depth - 1 })}`;
	}
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_ADDRESS */
function addressOf(address: unknown, name: string, family: unknown): SocketAddress {
	if (SocketAddress.isSocketAddress(address)) return address;
	string(address, name);
	string(family, 'family');
	return new SocketAddress({ address: String(address), family: String(family) });
}

/** Number of an address in another family; null if it has none there. */
function inFamily(number: bigint, family: FamilyName, wanted: FamilyName): bigint | null {
	if (family === wanted) return number;
	if (wanted === 'ipv6') return number | MAPPED;
	return number >> 32n === 0xffffn ? number & 0xffff_ffffn : null;
}
