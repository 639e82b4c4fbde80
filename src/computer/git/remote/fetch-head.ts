import { concat, encode } from '../bytes.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import type { FetchItem } from './fetch-plan.ts';

/** Address as shown in messages: without trailing slashes and `.git`. */
export const shownUrl = (url: string): string => {
	const plain = url.replace(/\/+$/, '');
	return plain.length > 5 ? plain.replace(/\.git$/, '') : plain;
};

/** Short, readable name of a reference. */
export const prettyName = (name: string): string => name.replace(/^refs\/(?:heads|tags|remotes)\//, '');

/** Description of a fetched reference, as in merge messages: `branch 'main' of ../there`. */
export function sourceNote(source: string, url: string): string {
	const [, space, short] = /^refs\/(heads|tags|remotes)\/(.*)$/s.exec(source) ?? [];
	if (source === 'HEAD') return shownUrl(url);
	const kind = { heads: 'branch ', tags: 'tag ', remotes: 'remote-tracking branch ' }[space ?? ''] ?? '';
	return `${kind}'${short ?? source}' of ${shownUrl(url)}`;
}

/** Line for a fetched reference, in `FETCH_HEAD` and for a merge message. */
export const fetchLine = ({ id, source, noted }: Pick<FetchItem, 'id' | 'source' | 'noted'>, url: string): string =>
	`${id}\t${noted === 'merged' ? '' : 'not-for-merge'}\t${sourceNote(source, url)}\n`;

/** Lines of `FETCH_HEAD` that are to be merged; null if the file does not exist. */
export function fetchedForMerge(repository: Repository): string[] | null {
	const text = repository.note('FETCH_HEAD');
	return text?.split('\n').filter((line) => /^[0-9a-f]{40}\t\t/.test(line)) ?? null;
}

/** Writes the fetched references to `FETCH_HEAD`, those to be merged first. @param appends keeps the existing lines */
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
