import { concat } from '../bytes.ts';
import { DELIMITER, FLUSH, packet } from './packet.ts';

/** Part of a history that is wanted. */
export interface HistoryCut {
	depth?: number | undefined;
	/** The depth counts from the commits at which the local history is cut off. */
	isDeepened?: boolean;
	/** Time in seconds of the oldest commits wanted. */
	since?: number | undefined;
	/** Remote references whose history is left out. */
	without?: readonly string[];
}

/** Objects that a client wants, and what it knows of the history. */
export interface FetchWish {
	wants: readonly string[];
	cut: HistoryCut;
	/** Filter of the objects that are sent, if the server supports filters. */
	filter: string | null;
	/** Commits at which the local history is cut off. */
	shallow: readonly string[];
	/** Commits that need not be sent. */
	haves: readonly string[];
	showsProgress: boolean;
}

const AGENT = 'agent=git/sandglass';

/** Request for a pack in version 0 of the protocol (https://git-scm.com/docs/gitprotocol-pack, "Packfile Negotiation"). */
export function fetchRequest(wish: FetchWish, offered: ReadonlySet<string>): Uint8Array {
	const { cut, filter } = wish;
	const own = ['side-band-64k', 'ofs-delta', 'include-tag'].filter((one) => offered.has(one));
	if (cut.isDeepened) own.push('deepen-relative');
	if (!wish.showsProgress && offered.has('no-progress')) own.push('no-progress');
	const isFiltered = filter !== null && offered.has('filter');
	if (isFiltered) own.push('filter');
	const wants = wish.wants.map((id, at) => packet(`want ${id}${at === 0 ? ` ${[...own, AGENT].join(' ')}` : ''}\n`));
	const depth = [
		...(cut.depth === undefined ? [] : [packet(`deepen ${cut.depth}\n`)]),
		...(cut.since === undefined ? [] : [packet(`deepen-since ${cut.since}\n`)]),
		...(cut.without ?? []).map((name) => packet(`deepen-not ${name}\n`))
	];
	const filters = isFiltered ? [packet(`filter ${filter}\n`)] : [];
	const shallow = wish.shallow.map((id) => packet(`shallow ${id}\n`));
	const haves = wish.haves.map((id) => packet(`have ${id}\n`));
	return concat([...wants, ...shallow, ...depth, ...filters, FLUSH, ...haves, packet('done\n')]);
}

/**
 * Request for single objects in version 2 of the protocol (https://git-scm.com/docs/gitprotocol-v2, "fetch"): unlike
 * version 0, it lets a client ask for objects that no reference points to.
 *
 * @param features of the server's command `fetch`
 */
export function objectRequest(
	ids: readonly string[],
	features: ReadonlySet<string>,
	showsProgress: boolean
): Uint8Array {
	const lines = [
		'ofs-delta',
		...(showsProgress ? [] : ['no-progress']),
		...ids.map((id) => `want ${id}`),
		...(features.has('filter') ? ['filter blob:none'] : []),
		'done'
	];
	const head = ['command=fetch', AGENT, 'object-format=sha1'];
	return concat([
		...head.map((line) => packet(`${line}\n`)),
		DELIMITER,
		...lines.map((line) => packet(`${line}\n`)),
		FLUSH
	]);
}
