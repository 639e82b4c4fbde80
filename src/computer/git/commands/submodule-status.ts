import { NULL_ID } from '../objects/object.ts';
import { fatal, GitError } from '../errors.ts';
import { Describer } from '../history/description.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { isActive } from '../submodule/modules.ts';
import { nestedRun, shownPath, stagedModules } from '../submodule/module-run.ts';
import type { ModuleRun, StagedModule } from '../submodule/module-run.ts';
import { Names } from './name-rev.ts';
import { SUBMODULE_USAGE } from './submodule-usage.ts';

const OPTIONS = { quiet: '-q --quiet', cached: '--cached', recursive: '--recursive' };

/** Shows the checked-out commit of each submodule: `git submodule status`. */
export function moduleStatus(run: ModuleRun, args: string[]): number {
	const options = parseOptions(SUBMODULE_USAGE, args, OPTIONS);
	const own = { ...run, isQuiet: run.isQuiet || options.has('quiet') };
	for (const staged of stagedModules(own, [...options.operands, ...(options.paths ?? [])]))
		showOne(own, options, staged);
	return 0;
}

function showOne(run: ModuleRun, options: Options<keyof typeof OPTIONS>, staged: StagedModule): void {
	const { git, isQuiet } = run;
	const { repository } = git;
	const { path, module, id, isUnmerged } = staged;
	const shown = shownPath(run, path);
	if (!module) throw fatal(`no submodule mapping found in .gitmodules for path '${path}'`);
	const show = (mark: string, commit: string, name = '') => {
		if (!isQuiet) git.out(`${mark}${commit} ${shown}${name}\n`);
	};
	const nested = isActive(repository, module) ? repository.nested(path) : null;
	if (isUnmerged) show('U', NULL_ID);
	else if (!nested) show('-', id);
	else {
		const head = nested.head();
		if (head === null) throw new GitError(`fatal: could not resolve HEAD ref inside the submodule '${path}'`, 128);
		const commit = options.has('cached') ? id : head;
		show(head === id ? ' ' : '+', commit, namedCommit(nested, commit));
	}
	if (!options.has('recursive') || !nested) return;
	const inner = nestedRun(run, path);
	moduleStatus(inner, ['--recursive', ...(options.has('cached') ? ['--cached'] : [])]);
	inner.git.flush();
}

/** Name of a commit in parentheses: by an annotated tag, any tag, a tag that contains it, or any ref; '' if none. */
function namedCommit(nested: Repository, id: string): string {
	if (!nested.objects.has(id)) return '';
	const by = (how: { tags?: boolean; all?: boolean; always?: boolean }) => new Describer(nested, how).describe(id, id);
	const tags = { wanted: [], unwanted: [], tagsOnly: true, nameOnly: true };
	const ways = [
		() => by({}),
		() => by({ tags: true }),
		() => new Names(nested, tags).of(id),
		() => by({ all: true, always: true })
	];
	for (const way of ways) {
		try {
			const name = way();
			if (name !== null) return ` (${name})`;
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
		}
	}
	return '';
}
