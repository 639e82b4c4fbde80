import { inspect } from 'node-inspect-extracted';
import { invalidValue, nodeError } from '../../runtime/errors.ts';
import { integer, plainObject, string } from '../../runtime/validate.ts';
import { isIP } from './address.ts';
import { portOf } from './checks.ts';

const custom = Symbol.for('nodejs.util.inspect.custom');

export type FamilyName = 'ipv4' | 'ipv6';

interface SocketAddressOptions {
	address?: string;
	family?: string;
	port?: number;
	flowlabel?: number;
}

/** `net.SocketAddress`: an address with a port, which does not change. */
export class SocketAddress {
	readonly #fields: { address: string; port: number; family: FamilyName; flowlabel: number };

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_SOCKET_BAD_PORT, ERR_OUT_OF_RANGE, ERR_INVALID_ADDRESS */
	constructor(options: SocketAddressOptions = {}) {
		plainObject(options, 'options');
		const given: unknown = options.family ?? 'ipv4';
		const family = typeof given === 'string' ? given.toLowerCase() : '';
		if (family !== 'ipv4' && family !== 'ipv6') throw invalidValue('options.family', given);
		const { address = given === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
		string(address, 'options.address');
		const checked = portOf(port, 'options.port');
		integer(0, 2 ** 32 - 1)(flowlabel, 'options.flowlabel');
		if (isIP(address) !== (family === 'ipv4' ? 4 : 6)) throw invalidAddress();
		this.#fields = { address: canonical(address), port: checked, family, flowlabel };
	}

	static isSocketAddress(value: unknown): value is SocketAddress {
		return typeof value === 'object' && value !== null && #fields in value;
	}

	/** Parses `1.2.3.4:80` or `[::1]:80`. @returns undefined for anything else. @throws ERR_INVALID_ARG_TYPE */
	static parse(input: string): SocketAddress | undefined {
		string(input, 'input');
		const [, six, four, port = '0'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d+))?$/.exec(input) ?? [];
		const address = six ?? four;
		const isRight = address !== undefined && isIP(address) === (six === undefined ? 4 : 6) && Number(port) <= 65_535;
		return isRight
			? new SocketAddress({ address, port: Number(port), family: six === undefined ? 'ipv4' : 'ipv6' })
			: undefined;
	}

	get address(): string {
		return this.#fields.address;
	}

	get port(): number {
		return this.#fields.port;
	}

	get family(): FamilyName {
		return this.#fields.family;
	}

	get flowlabel(): number {
		return this.#fields.flowlabel;
	}

	toJSON(): { address: string; port: number; family: FamilyName; flowlabel: number } {
		return { ...this.#fields };
	}

	[custom](depth: number | null, options: object): unknown {
		return depth !== null && depth < 0
			? '[SocketAddress]'
			: `SocketAddress ${inspect(this.toJSON(), { ...options, depth: depth === null ? null : depth - 1 })}`;
	}
}

const invalidAddress = () => nodeError(Error, 'ERR_INVALID_ADDRESS', 'Invalid socket address');

/** Number of an address, of 32 or 128 bits. */
export function addressNumber(address: string): bigint {
	if (!address.includes(':')) return address.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
	// The last four bytes may be written as IPv4.
	const whole = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
		const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
		return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
	});
	const [before = '', after] = whole.split('::');
	const words = (text: string | undefined) => (text ? text.split(':') : []);
	const [first, last] = [words(before), words(after)];
	const zeros = Array<string>(8 - first.length - last.length).fill('0');
	return [...first, ...zeros, ...last].reduce((number, word) => number * 65_536n + BigInt(`0x${word}`), 0n);
}

/** Shortest form of an address. */
function canonical(address: string): string {
	if (!address.includes(':')) return address;
	const number = addressNumber(address);
	const four = [24n, 16n, 8n, 0n].map((bits) => (number >> bits) & 255n).join('.');
	if (number >> 32n === 0xffffn) return `::ffff:${four}`;
	// As the C library writes them, which takes these for IPv4 in its older form.
	if (number >> 32n === 0n && number >> 16n > 0n) return `::${four}`;
	return new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
}
