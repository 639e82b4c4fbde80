import { integerOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import { parseFilter, type FilterSpec } from '../history/filter-spec.ts';
import { filterOf, type ObjectFilter } from '../history/object-filter.ts';
import type { Repository } from '../repository.ts';

/** Returns whether clients may leave out objects of a repository (git-config(1), `uploadpack.allowFilter`). */
export const offersFilters = ({ config }: Repository): boolean => config.flag('uploadpack.allowfilter', false);

/** Filter that a client requests; a text with the reason if the repository does not allow it. */
export function allowedFilter(repository: Repository, text: string): ObjectFilter | string {
	if (!offersFilters(repository)) return 'git upload-pack: filtering capability not negotiated';
	const spec = parseFilter(text);
	return refusal(repository, spec) ?? filterOf(repository, spec);
}

/** Reason to refuse a filter by `uploadpackfilter.allow` and its variants for kinds of filters; null if there is none. */
function refusal(repository: Repository, spec: FilterSpec): string | null {
	const { config } = repository;
	const { kind } = spec;
	const most = maximumDepth(repository);
	const isAllowed = config.flag(
		`uploadpackfilter.${kind}.allow`,
		kind === 'tree' && most !== null ? true : config.flag('uploadpackfilter.allow', true)
	);
	if (!isAllowed) return `filter '${kind}' not supported`;
	if (kind === 'tree' && most !== null && spec.depth > most)
		return `tree filter allows max depth ${most}, but got ${spec.depth}`;
	for (const part of kind === 'combine' ? spec.parts : []) {
		const reason = refusal(repository, part);
		if (reason !== null) return reason;
	}
	return null;
}

/** Maximum of `tree:<depth>`; null if any depth is allowed. @throws GitError if the setting is not a number */
function maximumDepth({ config }: Repository): number | null {
	const value = config.get('uploadpackfilter.tree.maxdepth');
	if (value === undefined) return null;
	const most = integerOf(value);
	if (most === null) throw fatal(`unable to parse 'uploadpackfilter.tree.maxdepth' from command-line config`);
	return most;
}
