import { failure } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { Connection } from '../remote/connection.ts';
import { staleRefs } from '../remote/fetch-plan.ts';
import { danglingLinks } from '../remote/fetch-refs.ts';
import { remoteNamed } from '../remote/remote-settings.ts';

/** `git remote prune`: deletes stale remote-tracking branches. */
export const pruneRemotes: Command = async (git, args) => {
	const options = parseOptions('remote prune [<options>] <name>...', args, { dryRun: '-n --dry-run' });
	const { repository } = git;
	const isDry = options.has('dryRun');
	if (options.operands.length === 0) throw failure('usage: git remote prune [<options>] <name>...', 129);
	for (const name of options.operands) {
		const { urls, fetchSpecs } = remoteNamed(repository, name);
		const url = urls[0]!;
		const advertisement = await Connection.advertisedAt(git, { url, config: repository.config }, 'fetch');
		const stale = staleRefs(repository, advertisement, fetchSpecs);
		if (stale.length === 0) continue;
		git.out(`Pruning ${name}\nURL: ${url}\n`);
		for (const ref of stale) {
			if (!isDry) repository.refs.delete(ref);
			git.out(` * [${isDry ? 'would prune' : 'pruned'}] ${ref.replace(/^refs\/(?:remotes|heads)\//, '')}\n`);
		}
		for (const link of danglingLinks(repository, stale))
			git.out(` ${link} ${isDry ? 'will become' : 'has become'} dangling!\n`);
	}
	return 0;
};
