import { decode } from '../bytes.ts';
import { prettyName, shownUrl } from '../remote/fetch-head.ts';
import type { FetchItem } from '../remote/fetch-plan.ts';
import type { Repository } from '../repository.ts';
import { intoBranch, listed } from './merge-message.ts';

/** Kinds of references, in the order in which a message names them. */
const KINDS = [
	['branch', 'branches', 'refs/heads/'],
	['remote-tracking branch', 'remote-tracking branches', 'refs/remotes/'],
	['tag', 'tags', 'refs/tags/'],
	['commit', 'commits', 'refs/']
] as const;

/** `Merge branches 'a' and 'b' of ../there`, by git-fmt-merge-msg(1); a tag's own text follows. */
export function pulledMessage(
	repository: Repository,
	merged: readonly Pick<FetchItem, 'id' | 'source'>[],
	url: string
): string {
	const kindOf = (source: string) => KINDS.find(([, , space]) => source.startsWith(space)) ?? KINDS[3];
	const named = merged.filter(({ source }) => source !== 'HEAD');
	const parts = KINDS.flatMap((kind) => {
		const names = named.filter(({ source }) => kindOf(source) === kind).map(({ source }) => `'${prettyName(source)}'`);
		return names.length === 0 ? [] : [`${names.length === 1 ? kind[0] : kind[1]} ${listed(names)}`];
	});
	const place = shownUrl(url);
	const isHeadAlone = named.length === 0;
	const what = isHeadAlone ? place : [...(named.length < merged.length ? ['HEAD'] : []), ...parts].join(', ');
	const title = `Merge ${what}${isHeadAlone || place === '.' ? '' : ` of ${place}`}${intoBranch(repository.refs)}`;
	return [title, ...merged.map(({ id }) => tagText(repository, id)).filter((text) => text !== '')].join('\n\n');
}

/** Message of an annotated tag; '' for anything else. */
function tagText({ objects }: Repository, id: string): string {
	const object = objects.find(id);
	if (object?.type !== 'tag') return '';
	const text = decode(object.content);
	return text.slice(text.indexOf('\n\n') + 2).trimEnd();
}
