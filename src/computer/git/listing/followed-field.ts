import { ancestors } from '../history/walk.ts';
import { pushDestination, pushedRef, pushRemote } from '../refs/push-destination.ts';
import type { Repository } from '../repository.ts';
import { nameForm } from './ref-name-field.ts';

/** Form in which `upstream` and `push` are shown. */
type Shown = 'name' | 'track' | 'trackshort' | 'remotename' | 'remoteref';

/**
 * Value of `%(upstream:…)` or `%(push:…)` of a branch; '' for other refs.
 *
 * @throws GitError for an unknown option
 */
export function followedField(
	repository: Repository,
	field: 'upstream' | 'push',
	option: string | undefined
): (ref: string) => string {
	let shown: Shown = 'name';
	let isBare = false;
	let form = nameForm(repository, field, undefined);
	for (const part of option === undefined ? [] : option.split(',')) {
		if (part === 'track' || part === 'trackshort' || part === 'remotename' || part === 'remoteref') shown = part;
		else if (part === 'nobracket') isBare = true;
		else {
			shown = 'name';
			form = nameForm(repository, `${field}:${option!}`, option);
		}
	}
	return (ref) => {
		if (!ref.startsWith('refs/heads/')) return '';
		const branch = ref.slice(11);
		if (field === 'push' && shown === 'remotename') {
			const remote = pushRemote(repository, branch);
			return remote.isSet ? remote.name : '';
		}
		if (field === 'push' && shown === 'remoteref') return pushedRef(repository, branch) ?? '';
		const followed = field === 'push' ? pushDestination(repository, branch) : repository.upstream(branch);
		if (followed === null) return '';
		if (shown === 'name') return form(followed);
		if (shown === 'remotename') return repository.config.get(`branch.${branch}.remote`) ?? '';
		if (shown === 'remoteref') return repository.config.get(`branch.${branch}.merge`) ?? '';
		const counts = countsOf(repository, ref, followed);
		if (shown === 'trackshort') return counts === null ? '' : SIGNS[+(counts.ahead > 0)]![+(counts.behind > 0)]!;
		const words = counts === null ? 'gone' : countWords(counts);
		return isBare || words === '' ? words : `[${words}]`;
	};
}

/** Signs of `trackshort`, by whether the branch is ahead and whether it is behind. */
const SIGNS: readonly (readonly string[])[] = [
	['=', '<'],
	['>', '<>']
];

interface Counts {
	ahead: number;
	behind: number;
}

/** Numbers of commits that only one of the two has; null if either ref does not exist. */
function countsOf(repository: Repository, ours: string, theirs: string): Counts | null {
	const [left, right] = [repository.refs.resolve(ours), repository.refs.resolve(theirs)];
	if (left === null || right === null) return null;
	if (left === right) return { ahead: 0, behind: 0 };
	const [ourCommits, theirCommits] = [ancestors(repository, [left]), ancestors(repository, [right])];
	const only = (a: Set<string>, b: Set<string>) => [...a].filter((id) => !b.has(id)).length;
	return { ahead: only(ourCommits, theirCommits), behind: only(theirCommits, ourCommits) };
}

function countWords({ ahead, behind }: Counts): string {
	return [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])].join(', ');
}
