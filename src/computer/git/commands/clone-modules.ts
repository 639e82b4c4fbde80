import { withoutPlace } from '../discover.ts';
import { joinedFilter, sentFilter } from '../history/filter-spec.ts';
import { Invocation, type Command } from '../invocation.ts';
import { cloneAnd, type CloneOptions } from './clone.ts';
import { updateModules } from './submodule-update.ts';

/** Clones a repository, and its submodules if requested. */
export const cloneWithModules: Command = (git, args) =>
	cloneAnd(git, args, async (root, options) => {
		if (!options.has('recurse')) return 0;
		const { context, surroundings, env } = git;
		const nested = new Invocation(context, root, surroundings.overrides, withoutPlace(env));
		if (nested.repository.head() === null) return 0;
		const code = await updateModules({ git: nested, isQuiet: options.has('quiet'), prefix: null }, [
			...updateOptions(options),
			...filterOptions(nested, options)
		]);
		nested.flush();
		return code;
	});

function updateOptions(options: CloneOptions): string[] {
	const words = ['--require-init', '--recursive'];
	if (options.has('shallowModules')) words.push('--depth=1');
	if (options.isTakenBack('shallowModules')) words.push('--no-recommend-shallow');
	if (options.has('remoteModules')) words.push('--remote', '--no-fetch');
	if (options.has('allBranches')) words.push('--no-single-branch');
	else if (options.has('single') || options.has('depth')) words.push('--single-branch');
	return words;
}

/** Filter of the submodules, if they are to have that of their superproject (git-config(1), `clone.filterSubmodules`). */
function filterOptions({ repository }: Invocation, options: CloneOptions): string[] {
	const filter = joinedFilter(options.all('filter'));
	const isAsked =
		options.has('filtersModules') ||
		(!options.isTakenBack('filtersModules') && repository.config.flag('clone.filtersubmodules', false));
	return filter && isAsked ? [`--filter=${sentFilter(filter)}`] : [];
}
