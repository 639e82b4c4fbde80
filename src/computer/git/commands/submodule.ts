import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { Mode } from '#environment/mode.ts';

/** `git submodule status`: the commits they are at, none of them fetched. The rest of the command is not here. */
export const submodule: Command = (git, args) => {
	const [word = 'status'] = args.filter((arg) => !/^(-q|--quiet|--recursive|--cached)$/.test(arg));
	if (word !== 'status') {
		throw new GitError(
			'git submodule: submodules are shown and kept, and not fetched. Clone one by itself: git clone <url> <path>.',
			1
		);
	}
	for (const { path, mode, id } of git.repository.index.entries()) {
		if (mode === Mode.commit) git.out(`-${id} ${git.repository.toCwd(path)}\n`);
	}
	return 0;
};
