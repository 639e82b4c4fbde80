import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';

/** Keys to sort references by: those of a setting, then those of `--sort`; `--no-sort` takes the setting back. */
export function sortKeys({ config }: Repository, options: Options<'sort'>, setting: string): string[] {
	return [...(options.isTakenBack('sort') ? [] : config.values(setting)), ...options.all('sort')];
}
