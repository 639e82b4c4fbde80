import { decode } from '../bytes.ts';
import { shortOfMarked } from '../refs/branch-name.ts';
import type { Repository } from '../repository.ts';

/** Kinds of what is merged, in the order in which a message names them. */
const KINDS = [
	['branch', 'branches', 'refs/heads/'],
	['remote-tracking branch', 'remote-tracking branches', 'refs/remotes/'],
	['tag', 'tags', 'refs/tags/'],
	['commit', 'commits', '']
] as const;

/** `Merge branch 'side' into topic`, by git-fmt-merge-msg(1); a tag's own text follows. */
export function mergeMessage(repository: Repository, given: readonly string[]): string {
	const { refs } = repository;
	const short = (name: string) =>
		shortOfMarked(repository, name, 'refs/heads/') ?? shortOfMarked(repository, name, 'refs/remotes/') ?? name;
	const names = given.map(short);
	const isRef = (name: string, space: string) => space !== '' && refs.resolve(`${space}${name}`) !== null;
	const kindOf = (name: string) => KINDS.find(([, , space]) => isRef(name, space)) ?? KINDS[3];
	const parts = KINDS.flatMap((kind) => {
		const found = names.filter((name) => kindOf(name) === kind).map((name) => `'${name}'`);
		const [one, many] = kind;
		return found.length === 0 ? [] : [`${found.length === 1 ? one : many} ${listed(found)}`];
	});
	const title = `Merge ${parts.join(', ')}${intoBranch(refs)}`;
	const texts = names.filter((name) => isTag(repository, name)).map((name) => tagText(repository, name));
	return [title, ...texts.filter((text) => text !== '')].join('\n\n');
}

/** `'a', 'b' and 'c'` */
export const listed = (names: readonly string[]): string =>
	names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const isTag = ({ refs }: Repository, name: string): boolean =>
	refs.resolve(`refs/heads/${name}`) === null && refs.resolve(`refs/tags/${name}`) !== null;

/** Message of an annotated tag; '' for one that is only a name. */
function tagText({ refs, objects }: Repository, name: string): string {
	const object = objects.find(refs.resolve(`refs/tags/${name}`) ?? '');
	if (object?.type !== 'tag') return '';
	const text = decode(object.content);
	return text.slice(text.indexOf('\n\n') + 2).trimEnd();
}

/** Name of the branch that a merge goes into, unless it is a usual one. */
export function intoBranch(refs: Pick<Repository['refs'], 'currentBranch'>): string {
	const branch = refs.currentBranch();
	return branch === null ? ' into HEAD' : ['main', 'master'].includes(branch) ? '' : ` into ${branch}`;
}
