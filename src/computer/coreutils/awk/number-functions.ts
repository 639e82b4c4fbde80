import { strftime } from '../time/strftime.ts';
import { UTC, zoneOf, type Zone } from '#computer/local-time/zone.ts';
import { AwkError } from './faults.ts';
import type { Argument, Builtin } from './builtin.ts';
import { Random } from './random.ts';
import type { Runtime } from './runtime.ts';
import { AwkArray, BooleanValue, isText, isTrue, nonDecimal, toNumber, type Value } from './values.ts';

/** Number value of an argument; `--lint` warns if it is a string. */
function numberFor(name: string, runtime: Runtime, argument: Argument | undefined): number {
	const value = argument?.value();
	if (runtime.lint && isText(value)) runtime.warn(`${name}: received non-numeric argument`);
	return toNumber(value);
}

const numeric =
	(name: string, compute: (a: number) => number): Builtin =>
	(runtime, [argument]) =>
		compute(numberFor(name, runtime, argument));

/** Random numbers, the same in each run with the same seed. */
class Chance {
	#random = new Random(1);
	#seed = 0;

	next(): number {
		for (;;) {
			// As in gawk: two random numbers form the bits of one between 0 and 1.
			const low = this.#random.next();
			let value = 0.5 + (low / RANDOM_MOST + this.#random.next()) / RANDOM_MOST;
			value -= 0.5;
			if (value < 1) return value;
		}
	}

	seed(seed: number): number {
		const before = this.#seed;
		this.#seed = seed;
		this.#random = new Random(Math.trunc(seed) >>> 0);
		return before;
	}
}

const RANDOM_MOST = 2_147_483_648;
const chances = new WeakMap<Runtime, Chance>();

function chanceOf(runtime: Runtime): Chance {
	let chance = chances.get(runtime);
	if (!chance) chances.set(runtime, (chance = new Chance()));
	return chance;
}

/** Combines integers bit by bit. @throws AwkError for negative ones */
function bitwise(name: string, combine: (a: bigint, b: bigint) => bigint): Builtin {
	return (_runtime, args) => {
		if (args.length < 2) throw new AwkError(`${name}: called with less than two arguments`);
		const values = args.map((one, index) => whole(name, toNumber(one.value()), index));
		return Number(values.reduce(combine));
	};
}

function whole(name: string, value: number, index: number): bigint {
	if (value < 0) throw new AwkError(`${name}: argument ${index + 1} negative value ${value} is not allowed`);
	return BigInt(Math.trunc(value));
}

function shift(name: string, move: (value: bigint, by: bigint) => bigint): Builtin {
	return (_runtime, [value, by]) => {
		const [number, places] = [toNumber(value?.value()), toNumber(by?.value())];
		if (number < 0 || places < 0)
			throw new AwkError(`${name}(${number.toFixed(6)}, ${places.toFixed(6)}): negative values are not allowed`);
		return Number(BigInt.asUintN(64, move(BigInt(Math.trunc(number)), BigInt(Math.trunc(places)))));
	};
}

function zoneOfProgram(runtime: Runtime): Zone {
	const value = runtime.array('ENVIRON').get('TZ');
	return zoneOf(value === undefined || value instanceof AwkArray ? undefined : runtime.text(value));
}

const DATE_FORMAT = '%a %b %e %H:%M:%S %Z %Y';

const timeFunctions: Record<string, Builtin> = {
	strftime: (runtime, [format, time, utc]) => {
		const usual = runtime.array('PROCINFO').get('strftime');
		const text = format
			? runtime.text(format.value())
			: usual instanceof AwkArray
				? ''
				: runtime.text(usual) || DATE_FORMAT;
		const seconds = time ? Math.floor(toNumber(time.value())) : Math.floor(Date.now() / 1000);
		return strftime(text, seconds * 1000, utc && isTrue(utc.value()) ? UTC : zoneOfProgram(runtime));
	},
	systime: () => Math.floor(Date.now() / 1000),
	mktime: (runtime, [text, utc]) => {
		const words = runtime.text(text?.value()).trim().split(/\s+/);
		if (words.length < 6 || words.some((word) => !/^-?\d+$/.test(word))) return -1;
		const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = words.map(Number);
		const local = Date.UTC(year, month - 1, day, hour, minute, second);
		const zone = utc && isTrue(utc.value()) ? UTC : zoneOfProgram(runtime);
		const first = local - zone.offset(local) * 60_000;
		return Math.floor((local - zone.offset(first) * 60_000) / 1000);
	}
};

/** The built-in functions for numbers and times. */
export const NUMBER_FUNCTIONS: Record<string, Builtin> = {
	...timeFunctions,
	sin: numeric('sin', Math.sin),
	cos: numeric('cos', Math.cos),
	atan2: (_runtime, [y, x]) => Math.atan2(toNumber(y?.value()), toNumber(x?.value())),
	exp: (runtime, [argument]) => {
		const value = numberFor('exp', runtime, argument);
		const result = Math.exp(value);
		if (result === Infinity && Number.isFinite(value))
			runtime.warn(`exp: argument ${runtime.text(value)} is out of range`);
		return result;
	},
	log: (runtime, [argument]) => {
		const value = numberFor('log', runtime, argument);
		if (value < 0) runtime.warn(`log: received negative argument ${runtime.text(value)}`);
		return Math.log(value);
	},
	sqrt: (runtime, [argument]) => {
		const value = numberFor('sqrt', runtime, argument);
		if (value < 0) runtime.warn(`sqrt: called with negative argument ${runtime.text(value)}`);
		return Math.sqrt(value);
	},
	int: numeric('int', Math.trunc),
	rand: (runtime) => chanceOf(runtime).next(),
	srand: (runtime, [seed]) => chanceOf(runtime).seed(seed ? toNumber(seed.value()) : Math.floor(Date.now() / 1000)),
	and: bitwise('and', (a, b) => a & b),
	or: bitwise('or', (a, b) => a | b),
	xor: bitwise('xor', (a, b) => a ^ b),
	lshift: shift('lshift', (value, by) => value << by),
	rshift: shift('rshift', (value, by) => value >> by),
	compl: (_runtime, [argument]) => {
		const value = toNumber(argument?.value());
		if (value < 0) throw new AwkError(`compl(${value.toFixed(6)}): negative value is not allowed`);
		return Number(BigInt.asUintN(53, ~BigInt(Math.trunc(value))));
	},
	strtonum: (runtime, [argument]) => {
		const value: Value = argument?.value();
		if (typeof value === 'number') return value;
		const text = runtime.text(value).trim();
		return nonDecimal(/^[-+]?0[xX][\da-fA-F]+|^[-+]?0[0-7]+(?![\d.eE])/.exec(text)?.[0] ?? '') ?? toNumber(text);
	},
	mkbool: (_runtime, [argument]) => new BooleanValue(isTrue(argument?.value()))
};
