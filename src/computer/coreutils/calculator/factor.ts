import type { BuiltIn } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';

/** Divisors up to this one are tried one by one. */
const SMALL = 1_000n;
/** Numbers below this have a small divisor or are prime. */
const WITHOUT_BIG_DIVISORS = SMALL * SMALL;
/** Numbers with at most this many digits are below that. */
const SMALL_DIGITS = 6;
/** Bases that decide for all numbers below 3.3 · 10²⁴, and almost certainly above. */
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n];
/** Steps between checks whether the user has interrupted. */
const STEPS = 1_024;

/** `factor`: factors the arguments, or the numbers of standard input. */
export const factor: BuiltIn = async (call) => {
	let status = 0;
	const out = new TextOutput(call);
	const check = () => call.shell.control.check();
	const kernel = call.shell.descriptors.get(0)?.kernel;
	const isTyped = kernel !== undefined && call.shell.host.context.sync.isTerminal(kernel);
	const show = (text: string): string | null => {
		const [, digits] = /^\s*\+?(\d+)\s*$/.exec(text) ?? [];
		if (digits === undefined) return `'${text}' is not a valid positive integer`;
		const isSmall = digits.length <= SMALL_DIGITS;
		const factors = isSmall ? smallFactorsOf(Number(digits)) : factorsOf(BigInt(digits), check);
		out.add(`${isSmall ? Number(digits) : BigInt(digits)}:${factors.map((factor) => ` ${factor}`).join('')}\n`);
		return null;
	};
	const showAll = async (words: Iterable<string>): Promise<void> => {
		for (const word of words) {
			const problem = show(word);
			if (problem !== null) {
				await out.flush();
				await call.complain(problem);
				status = 1;
			}
			if (out.full) await out.flush();
		}
	};
	const operands = call.args.filter((arg) => arg !== '--');
	await showAll(operands);
	if (operands.length === 0) {
		const lines = new LineSource(call, []);
		for (let batch = await lines.batch(); batch.length > 0; batch = await lines.batch()) {
			await showAll(batch.flatMap(({ text }) => text.split(/\s+/).filter(Boolean)));
			if (isTyped) await out.flush();
			await call.shell.control.yieldIfDue();
		}
	}
	await out.flush();
	return status;
};

/** Prime factors of a number of at most {@link SMALL_DIGITS} digits, in ascending order. */
function smallFactorsOf(value: number): number[] {
	const factors: number[] = [];
	// 32-bit integers, whose remainders are many times as fast.
	let left = value | 0;
	for (let divisor = 2; divisor * divisor <= left; divisor += divisor === 2 ? 1 : 2)
		for (; left % divisor === 0; left = (left / divisor) | 0) factors.push(divisor);
	if (left > 1) factors.push(left);
	return factors;
}

/** Prime factors in ascending order. */
function factorsOf(value: bigint, check: () => void): bigint[] {
	const factors: bigint[] = [];
	let left = value;
	for (let divisor = 2n; divisor < SMALL && divisor * divisor <= left; divisor += divisor === 2n ? 1n : 2n) {
		for (; left % divisor === 0n; left /= divisor) factors.push(divisor);
	}
	const parts = left > 1n ? [left] : [];
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		if (isPrime(part)) factors.push(part);
		else {
			const divisor = properDivisor(part, check);
			parts.push(divisor, part / divisor);
		}
	}
	return factors.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Miller-Rabin primality test. */
function isPrime(value: bigint): boolean {
	if (value < WITHOUT_BIG_DIVISORS) return true;
	let [odd, halvings] = [value - 1n, 0];
	for (; odd % 2n === 0n; odd /= 2n) halvings++;
	return WITNESSES.every((witness) => {
		let power = powerModulo(witness, odd, value);
		if (power === 1n) return true;
		for (let step = 0; step < halvings; step++, power = (power * power) % value) if (power === value - 1n) return true;
		return false;
	});
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
	let [result, square] = [1n, base % modulus];
	for (let left = exponent; left > 0n; left >>= 1n, square = (square * square) % modulus)
		if (left & 1n) result = (result * square) % modulus;
	return result;
}

/** Pollard's rho: a divisor of a composite number that has none below {@link SMALL}. */
function properDivisor(value: bigint, check: () => void): bigint {
	for (let constant = 1n; ; constant++) {
		const next = (x: bigint) => (x * x + constant) % value;
		let [slow, fast, divisor] = [2n, 2n, 1n];
		for (let step = 1; divisor === 1n; step++) {
			slow = next(slow);
			fast = next(next(fast));
			divisor = greatestCommonDivisor(slow > fast ? slow - fast : fast - slow, value);
			if (step % STEPS === 0) check();
		}
		if (divisor !== value) return divisor;
	}
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
	for (; b !== 0n; [a, b] = [b, a % b]);
	return a;
}
