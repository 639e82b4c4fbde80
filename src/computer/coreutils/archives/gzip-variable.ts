import type { Call } from '#computer/shell/state/host.ts';
import { Options, parseOptions, UsageError } from '../options.ts';

/** Options allowed in `GZIP`: those that change neither the operation nor where the result goes. */
const ALLOWED = /^(?:[nNqv\d]|rsyncable|synchronous)$/;

/** Returns the options, preceded by those of the variable `GZIP`. @throws UsageError */
export function withVariable({ shell }: Call, options: Options, specification: string): Options {
	const variable = shell.variables.find('GZIP');
	const words = (variable?.exported ? (variable.value ?? '') : '').split(/[ \t]+/).filter(Boolean);
	for (const word of words) {
		if (!/^-./.test(word)) throw new UsageError(`${word}: non-option in GZIP environment variable`, true);
		if (!isAllowed(word, specification))
			throw new UsageError(
				`${word.startsWith('--') ? word.replace(/=.*/s, '') : word.slice(0, 2)}: option not valid in GZIP environment variable`,
				true
			);
	}
	const { given } = parseOptions(words, specification);
	return new Options([...given, ...options.given], options.operands);
}

function isAllowed(word: string, specification: string): boolean {
	try {
		const { given } = parseOptions([word], specification);
		return given.length > 0 && given.every(({ name }) => ALLOWED.test(name));
	} catch (error) {
		if (error instanceof UsageError) return false;
		throw error;
	}
}
