import { Buffer } from 'buffer';
import { invalidArgument, outOfRange } from '../../runtime/errors.ts';
import { boundsError, checkNumber, checkPlace } from './checks.ts';

type Method = (this: Uint8Array, ...args: unknown[]) => unknown;

/** Layout and interpretation of an integer's bytes. */
interface Format {
	count: number;
	isSigned: boolean;
	isLittle: boolean;
}

const LONGEST = 6;
const scratch = new Uint8Array(8);
const scratchView = new DataView(scratch.buffer);

function readInteger(bytes: Uint8Array, offset: number, { count, isSigned, isLittle }: Format): number {
	let value = 0;
	for (let at = 0; at < count; at++) value = value * 256 + (bytes[offset + (isLittle ? count - 1 - at : at)] ?? 0);
	return isSigned && value >= 2 ** (count * 8 - 1) ? value - 2 ** (count * 8) : value;
}

function writeInteger(bytes: Uint8Array, value: number, offset: number, { count, isLittle }: Format): number {
	let rest = Math.trunc(value) || 0;
	if (rest < 0) rest += 2 ** (count * 8);
	for (let at = 0; at < count; at++) {
		bytes[offset + (isLittle ? at : count - 1 - at)] = rest % 256;
		rest = Math.floor(rest / 256);
	}
	return offset + count;
}

/**
 * @throws ERR_OUT_OF_RANGE for a value that does not fit; the message prints small ranges as numbers, large ones as
 * powers
 */
function checkValue(value: number | bigint, bits: number, isSigned: boolean): void {
	const isBig = typeof value === 'bigint';
	const [low, high] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits];
	if (!(value < low || (bits > 48 ? value >= high : value > high - 1))) return;
	const suffix = isBig ? 'n' : '';
	const power = (exponent: number) => `2${suffix} ** ${exponent}${suffix}`;
	const long = isSigned ? `>= -(${power(bits - 1)}) and < ${power(bits - 1)}` : `>= 0${suffix} and < ${power(bits)}`;
	throw outOfRange('value', bits > 32 ? long : `>= ${low} and <= ${high - 1}`, value);
}

function integerMethods(format: Format): { read: Method; write: Method } {
	const { count, isSigned } = format;
	return {
		read(offset: unknown = 0) {
			checkPlace(this, offset, count);
			return readInteger(this, offset, format);
		},
		write(given: unknown, offset: unknown = 0) {
			const value = Number(given);
			if (count === 1) checkNumber(offset, 'offset');
			checkValue(value, count * 8, isSigned);
			checkPlace(this, offset, count);
			return writeInteger(this, value, offset, format);
		}
	};
}

/** `readIntLE(offset, byteLength)` and similar methods. */
function variableMethods(format: Omit<Format, 'count'>): { read: Method; write: Method } {
	const byCount = Array.from({ length: LONGEST + 1 }, (_, count) => integerMethods({ ...format, count }));
	const pick = (count: unknown) => {
		const methods = typeof count === 'number' && count > 0 ? byCount[count] : undefined;
		if (methods) return methods;
		checkNumber(count, 'byteLength');
		throw boundsError(count, LONGEST, 'byteLength');
	};
	return {
		read(offset: unknown, count: unknown) {
			if (offset === undefined) throw invalidArgument('offset', 'of type number', offset);
			return Reflect.apply(pick(count).read, this, [offset]);
		},
		write(value: unknown, offset: unknown, count: unknown) {
			const { write } = pick(count);
			if (offset === undefined) throw invalidArgument('offset', 'of type number', offset);
			return Reflect.apply(write, this, [value, offset]);
		}
	};
}

/** @param kind end of the method's name in `DataView` */
function viewMethods(kind: 'Float32' | 'Float64' | 'BigInt64' | 'BigUint64', isLittle: boolean) {
	const count = kind === 'Float32' ? 4 : 8;
	const isBig = kind.startsWith('Big');
	const read = DataView.prototype[`get${kind}`];
	const write = DataView.prototype[`set${kind}`] as (offset: number, value: never, isLittle: boolean) => void;
	const methods: { read: Method; write: Method } = {
		read(offset: unknown = 0) {
			checkPlace(this, offset, count);
			for (let at = 0; at < count; at++) scratch[at] = this[offset + at] ?? 0;
			return Reflect.apply(read, scratchView, [0, isLittle]);
		},
		write(given: unknown, offset: unknown = 0) {
			if (!isBig) given = Number(given);
			else if (typeof given === 'bigint') checkValue(given, 64, kind === 'BigInt64');
			else throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
			checkPlace(this, offset, count);
			Reflect.apply(write, scratchView, [0, given, isLittle]);
			for (let at = 0; at < count; at++) this[offset + at] = scratch[at] ?? 0;
			return offset + count;
		}
	};
	return methods;
}

/** Adds the methods that read and write numbers to `Buffer`, with Node's checks of offset and value. */
export function defineNumberMethods(): void {
	const define = (name: string, { read, write }: { read: Method; write: Method }) => {
		for (const [verb, method] of Object.entries({ read, write })) {
			Object.defineProperty(method, 'name', { value: verb + name });
			for (const alias of new Set([verb + name, verb + name.replace('UInt', 'Uint')]))
				Object.defineProperty(Buffer.prototype, alias, {
					value: method,
					writable: true,
					enumerable: true,
					configurable: true
				});
		}
	};
	for (const isSigned of [false, true]) {
		const kind = isSigned ? 'Int' : 'UInt';
		define(`${kind}8`, integerMethods({ count: 1, isSigned, isLittle: true }));
		for (const isLittle of [false, true]) {
			const end = isLittle ? 'LE' : 'BE';
			define(`${kind}${end}`, variableMethods({ isSigned, isLittle }));
			define(`${kind}16${end}`, integerMethods({ count: 2, isSigned, isLittle }));
			define(`${kind}32${end}`, integerMethods({ count: 4, isSigned, isLittle }));
			define(`Big${kind}64${end}`, viewMethods(isSigned ? 'BigInt64' : 'BigUint64', isLittle));
		}
	}
	for (const isLittle of [false, true]) {
		const end = isLittle ? 'LE' : 'BE';
		define(`Float${end}`, viewMethods('Float32', isLittle));
		define(`Double${end}`, viewMethods('Float64', isLittle));
	}
}
