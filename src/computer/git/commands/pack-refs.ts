import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';

/** `git pack-refs`: moves refs into the file `packed-refs`. */
export const packRefs: Command = (git, args) => {
	const options = parseOptions('pack-refs [--all] [--no-prune]', args, {
		all: '--all',
		prune: '--prune',
		noPrune: '--no-prune'
	});
	git.repository.refs.pack(options.has('all'), !options.has('noPrune'), (id) => git.repository.peeled(id));
	return 0;
};
