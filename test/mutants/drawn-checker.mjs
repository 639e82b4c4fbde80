import path from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

export const NOT_DRAWN = 'not drawn';

/**
 * Names a mutant the same way in each run, as long as its file does not change.
 *
 * @param {import('@stryker-mutator/api/core').Mutant} mutant
 */
export function keyOf({ fileName, location: { start, end }, mutatorName, replacement }) {
	const place = [start.line, start.column, end.line, end.column].join(':');
	return [path.relative(process.env.MUTANTS_ROOT ?? '', fileName), place, mutatorName, replacement].join(' ');
}

/**
 * Runs only the mutants drawn. Ranges of `mutate` cannot do this: the range of a block has all mutants within it. The
 * others count as compile errors, the only status that a checker can return.
 */
class DrawnChecker {
	/** @type {Set<string>} */
	#drawn = new Set();

	async init() {
		this.#drawn = new Set(JSON.parse(process.env.MUTANTS_DRAWN ?? '[]'));
	}

	/** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
	async check(mutants) {
		return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#resultOf(mutant)]));
	}

	/** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
	async group(mutants) {
		return [mutants.map(({ id }) => id)];
	}

	/** @param {import('@stryker-mutator/api/core').Mutant} mutant @returns {import('@stryker-mutator/api/check').CheckResult} */
	#resultOf(mutant) {
		if (this.#drawn.has(keyOf(mutant))) return { status: CheckStatus.Passed };
		return { status: CheckStatus.CompileError, reason: NOT_DRAWN };
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'drawn', DrawnChecker)];
