import { fatal, GitError } from '../errors.ts';
import { parseFilter, sentFilter, type FilterSpec } from '../history/filter-spec.ts';
import type { Repository } from '../repository.ts';
import { promisorRemotes } from './promisor-remotes.ts';

/** Extensions that do not keep a repository from getting the version in which all extensions are obeyed. */
const KNOWN_EXTENSIONS = new Set(['noop', 'preciousobjects', 'partialclone', 'worktreeconfig']);

/**
 * Makes a remote a promisor remote, from which missing objects are fetched later. The first filter is noted as that of
 * later fetches.
 *
 * @throws GitError if the repository has settings that would change their meaning
 */
export function registerPromisor(repository: Repository, remote: string, filter: FilterSpec): void {
	const { config, commonDir } = repository;
	const file = `${commonDir}/config`;
	if (!promisorRemotes(config).includes(remote)) {
		upgradeFormat(repository);
		config.set(file, `remote.${remote}.promisor`, 'true');
	} else if (config.get(`remote.${remote}.partialclonefilter`) !== undefined) return;
	config.set(file, `remote.${remote}.partialclonefilter`, sentFilter(filter));
}

/** Filter of the fetches from a promisor remote; null if it has none. */
export function usualFilter({ config }: Repository, remote: string): FilterSpec | null {
	const text = promisorRemotes(config).includes(remote) ? config.get(`remote.${remote}.partialclonefilter`) : undefined;
	return text === undefined ? null : parseFilter(text);
}

/** Sets the version from which on programs refuse repositories with extensions that they do not know. */
function upgradeFormat({ config, commonDir }: Repository): void {
	if (Number(config.get('core.repositoryformatversion') ?? 0) >= 1) return;
	const unknown = config
		.all()
		.flatMap(({ key }) => /^extensions\.(.+)$/s.exec(key)?.[1] ?? [])
		.find((name) => !KNOWN_EXTENSIONS.has(name));
	if (unknown !== undefined)
		throw new GitError(
			`error: cannot upgrade repository format: unknown extension ${unknown}\n` +
				fatal('unable to upgrade repository format to support partial clone').message,
			128
		);
	config.set(`${commonDir}/config`, 'core.repositoryformatversion', '1');
}
