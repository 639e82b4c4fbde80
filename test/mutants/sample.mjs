import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** Standard deviations to either side that contain 95 % of a normal distribution. */
const Z = 1.96;

/**
 * Inserts every mutant that Stryker would make into these files, each behind a switch. Mutants are in the order of the
 * files.
 *
 * @param {readonly string[]} files
 * @returns {Promise<import('@stryker-mutator/instrumenter').InstrumentResult>} without ignored mutants
 */
export async function instrument(files) {
	const silent = () => {};
	const logger = { debug: silent, info: silent, warn: silent, isDebugEnabled: () => false };
	const sources = await Promise.all(
		files.map(async (file) => ({ name: path.resolve(file), mutate: true, content: await readFile(file, 'utf8') }))
	);
	const instrumenter = new Instrumenter(/** @type {any} */ (logger));
	const options = { plugins: null, excludedMutations: [], ignorers: [] };
	const result = await instrumenter.instrument(sources, options);
	return { ...result, mutants: result.mutants.filter(({ status }) => status !== 'Ignored') };
}

/**
 * Lists every mutant that Stryker would make from these files, in the order of the files.
 *
 * @param {readonly string[]} files
 * @returns {Promise<readonly import('@stryker-mutator/api/core').Mutant[]>}
 */
export const allMutants = async (files) => (await instrument(files)).mutants;

/**
 * Draws without replacement, with equal probability.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {number} count
 * @param {number} seed the same seed draws the same from the same list
 * @returns {T[]}
 */
export function draw(all, count, seed) {
	const left = [...all];
	const random = mulberry32(seed);
	const drawn = [];
	while (drawn.length < count && left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
	return drawn;
}

/**
 * Computes Wilson's interval, which contains the share of the whole room with 95 % probability.
 *
 * @param {number} killed
 * @param {number} counted
 * @returns {{ low: number, high: number }} from 0 to 1
 */
export function wilson(killed, counted) {
	if (counted === 0) return { low: 0, high: 1 };
	const share = killed / counted;
	const scale = 1 + Z ** 2 / counted;
	const middle = share + Z ** 2 / (2 * counted);
	const half = Z * Math.sqrt((share * (1 - share)) / counted + Z ** 2 / (4 * counted ** 2));
	return { low: (middle - half) / scale, high: (middle + half) / scale };
}

/** @param {number} seed @returns {() => number} numbers from 0 to 1 */
function mulberry32(seed) {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
