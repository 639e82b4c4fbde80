import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';

/** Keys to sort refs by: those of a setting, then those of `--sort`; `--no-sort` discards the setting. */
export function sortKeys({ config }: Repository, options: Options<'sort'>, setting: string): string[] {
	return [...(options.isTakenBack('sort') ? [] : config.values(setting)), ...options.all('sort')];
}
