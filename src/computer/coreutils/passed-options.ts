import type { Options } from './options.ts';

/** Options for passing to another command. @param without names of options that are not passed on */
export const passedOptions = ({ given }: Options, without: readonly string[] = []): string[] =>
	given
		.filter(({ name }) => !without.includes(name))
		.map(({ name, value }) => {
			if (name.length === 1) return `-${name}${value}`;
			return value === '' ? `--${name}` : `--${name}=${value}`;
		});
