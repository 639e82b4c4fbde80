import { walkHistory, isAncestor } from '../history/walk.ts';
import { subjectOf } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import type { MergePlan, OfSides } from './merge-plan.ts';

interface MergedCommit {
	id: string | null;
	isClean: boolean;
}

/** Merges commits of a submodule: fast-forwards if possible; otherwise leaves the conflict to the user. */
export function mergeSubmodule(plan: MergePlan, path: string, ids: OfSides<string | null>): MergedCommit {
	const [base, ours, theirs] = ids as [string | null, string, string];
	const failed = (kind: string, why: string): MergedCommit => {
		plan.say(`CONFLICT (submodule${kind})`, [path], `Failed to merge submodule ${path}${why}`);
		return { id: plan.depth > 0 ? base : ours, isClean: false };
	};
	const taken = (id: string): MergedCommit => {
		plan.say('Fast forwarding submodule', [path], `Note: Fast-forwarding submodule ${path} to ${id}`);
		return { id, isClean: true };
	};
	const nested = plan.git.repository.nested(path);
	if (!nested) {
		plan.submodules.set(path, null);
		return failed(' not initialized', ' (not checked out)');
	}
	plan.submodules.set(path, nested.objects.find(theirs) === null ? null : nested.objects.abbreviate(theirs));
	if (base === null) return failed(' lacks merge base', ' (no merge base)');
	if ([base, ours, theirs].some((id) => nested.objects.find(id)?.type !== 'commit'))
		return failed(' history not available', ' (commits not present)');
	if (!isAncestor(nested, base, ours) || !isAncestor(nested, base, theirs))
		return failed(' may have rewinds', " (commits don't follow merge-base)");
	const follower = isAncestor(nested, ours, theirs) ? theirs : isAncestor(nested, theirs, ours) ? ours : null;
	if (follower !== null) {
		plan.submodules.delete(path);
		return taken(follower);
	}
	const merges = mergesOf(nested, ours, theirs);
	if (merges.length === 0) return failed('', '');
	const listed = merges.map((id) => `    ${nested.objects.abbreviate(id)} ${subjectOf(nested.commit(id).message)}\n`);
	return failed(
		' with possible resolution',
		merges.length === 1
			? `, but a possible merge resolution exists: ${listed[0]!}`
			: `, but multiple possible merges exist:\n${listed.join('')}`
	);
}

/** Earliest merge commits of a submodule that contain both commits. */
function mergesOf(nested: Repository, ours: string, theirs: string): string[] {
	const tips = nested.refs.list('refs/').flatMap(({ id }) => (nested.objects.find(id)?.type === 'commit' ? [id] : []));
	const head = nested.head();
	const range = { include: [...new Set([...tips, ...(head === null ? [] : [head])])], exclude: [ours] };
	const found = [...walkHistory(nested, range)]
		.filter(({ commit }) => commit.parents.length > 1)
		.map(({ id }) => id)
		.filter((id) => isAncestor(nested, ours, id) && isAncestor(nested, theirs, id));
	return found.filter((id) => !found.some((other) => other !== id && isAncestor(nested, other, id)));
}

/** Advice for submodules in conflict: steps for each, with the commit to merge. */
export function submoduleAdvice(submodules: ReadonlyMap<string, string | null>): string {
	if (submodules.size === 0) return '';
	const steps = [...submodules]
		.filter(([, id]) => id !== null)
		.map(
			([path, id]) =>
				` - go to submodule (${path}), and either merge commit ${id}\n` +
				'   or update to an existing commit which has merged those changes\n'
		);
	return `Recursive merging with submodules currently only supports trivial cases.
Please manually handle the merging of each conflicted submodule.
This can be accomplished with the following steps:
${steps.join('')} - come back to superproject and run:

      git add ${[...submodules.keys()].join(' ')}

   to record the above merge or update
 - resolve any other conflicts in the superproject
 - commit the resulting index in the superproject
`;
}
