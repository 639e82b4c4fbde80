import type { Options } from './options.ts';

/** Rebuilds options as arguments for another command. @param without names of options to omit */
export const passedOptions = ({ given }: Options, without: readonly string[] = []): string[] =>
	given
		.filter(({ name }) => !without.includes(name))
		.map(({ name, value }) => {
			if (name.length === 1) return `-${name}${value}`;
			return value === '' ? `--${name}` : `--${name}=${value}`;
		});
