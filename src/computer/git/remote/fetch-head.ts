import { concat, encode } from '../bytes.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import type { FetchItem } from './fetch-plan.ts';

/** Address as messages show it: without slashes and `.git` at the end. */
export const shownUrl = (url: string): string => {
	const plain = url.replace(/\/+$/, '');
	return plain.length > 5 ? plain.replace(/\.git$/, '') : plain;
};

/** Name of a reference as people know it. */
export const prettyName = (name: string): string => name.replace(/^refs\/(?:heads|tags|remotes)\//, '');

/** Name of what was fetched, as merges have it: `branch 'main' of ../there`. */
export function sourceNote(source: string, url: string): string {
	const [, space, short] = /^refs\/(heads|tags|remotes)\/(.*)$/s.exec(source) ?? [];
	if (source === 'HEAD') return shownUrl(url);
	const kind = { heads: 'branch ', tags: 'tag ', remotes: 'remote-tracking branch ' }[space ?? ''] ?? '';
	return `${kind}'${short ?? source}' of ${shownUrl(url)}`;
}

/** Line of what was fetched, in `FETCH_HEAD` and for the message of a merge. */
export const fetchLine = ({ id, source, noted }: Pick<FetchItem, 'id' | 'source' | 'noted'>, url: string): string =>
	`${id}\t${noted === 'merged' ? '' : 'not-for-merge'}\t${sourceNote(source, url)}\n`;

/** Lines of `FETCH_HEAD` that are to be merged; null without such a file. */
export function fetchedForMerge(repository: Repository): string[] | null {
	const text = repository.note('FETCH_HEAD');
	return text?.split('\n').filter((line) => /^[0-9a-f]{40}\t\t/.test(line)) ?? null;
}

/** Notes what was fetched in `FETCH_HEAD`: first what is to be merged. @param appends keeps what is there */
export function writeFetchHead(
	repository: Repository,
	items: readonly FetchItem[],
	url: string,
	appends: boolean
): void {
	const path = `${repository.gitDir}/FETCH_HEAD`;
	const lines = (['merged', 'unmerged'] as const).flatMap((noted) =>
		items.filter((item) => item.noted === noted).map((item) => fetchLine(item, url))
	);
	const before = appends ? missingAsNull(() => repository.files.readFile(path)) : null;
	repository.files.writeFile(path, concat([before ?? new Uint8Array(), encode(lines.join(''))]));
}
