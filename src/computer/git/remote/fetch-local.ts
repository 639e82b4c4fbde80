import { encode } from '../bytes.ts';
import { GitError, fatal } from '../errors.ts';
import { isAncestor } from '../history/walk.ts';
import { expandRef } from '../refs/named-ref.ts';
import type { Repository } from '../repository.ts';
import { reach } from './reachable.ts';

/** A reference that was fetched. */
export interface FetchedRef {
	id: string;
	/** Full name on the other side; `HEAD` if none was asked for. */
	source: string;
	/** Name that it has here now; null where only `FETCH_HEAD` knows it. */
	target: string | null;
}

/**
 * Fetches from a repository of the same volume what refspecs name, without a remote, and writes `FETCH_HEAD`.
 *
 * @param url as it was given, for messages
 * @throws GitError for a reference that is not there, or that would lose commits
 */
export function fetchLocal(to: Repository, from: Repository, url: string, specs: readonly string[]): FetchedRef[] {
	const wanted = (specs.length > 0 ? specs : ['HEAD']).flatMap((spec) => refsOf(from, spec));
	copyObjects(
		to,
		from,
		wanted.map(({ id }) => id)
	);
	for (const { id, source, target, isForced } of wanted) {
		if (target === null) continue;
		const before = to.refs.resolve(target);
		if (to.refs.symbolic('HEAD') === target && !to.isBare && before !== id)
			throw fatal(`refusing to fetch into branch '${target}' checked out at '${to.root}'`);
		const isForward = before === null || isAncestor(to, before, to.peeled(id));
		if (!isForward && !isForced)
			throw new GitError(
				`From ${url}\n ! [rejected]        ${shortName(source)} -> ${shortName(target)}  (non-fast-forward)`,
				1
			);
		to.refs.update(target, id, `fetch ${url}: ${before === null ? 'storing head' : 'fast-forward'}`);
	}
	if (wanted.some(({ target }) => target !== null)) followTags(to, from);
	writeFetchHead(to, wanted, url);
	return wanted;
}

/** References that a refspec names: `main`, `main:copy`, `+refs/heads/*:refs/other/*`. */
function refsOf(from: Repository, spec: string): (FetchedRef & { isForced: boolean })[] {
	const isForced = spec.startsWith('+');
	const [source = '', target] = spec.replace(/^\+/, '').split(':');
	if (source.includes('*')) {
		const [start = '', end = ''] = source.split('*');
		return from.refs
			.list(start)
			.filter(({ name }) => name.endsWith(end) && name.length >= start.length + end.length)
			.map(({ name, id }) => {
				const part = name.slice(start.length, name.length - end.length);
				return { id, source: name, target: target ? target.replace('*', part) : null, isForced };
			});
	}
	const name = source === '' || source === 'HEAD' ? 'HEAD' : expandRef(from, source);
	const id = name === null ? null : from.refs.resolve(name);
	if (name === null || id === null) throw fatal(`couldn't find remote ref ${source}`);
	const space = name.startsWith('refs/tags/') ? 'refs/tags/' : 'refs/heads/';
	const full = target ? (target.startsWith('refs/') ? target : space + target) : null;
	return [{ id, source: name, target: full, isForced }];
}

/** Copies objects and all that they need, but for what is there. */
function copyObjects(to: Repository, from: Repository, ids: readonly string[]): void {
	if (to.objects === from.objects || to.commonDir === from.commonDir) return;
	const missing = ids.filter((id) => !to.objects.has(id));
	for (const [id, type] of reach(from, missing, new Map()))
		if (!to.objects.has(id)) to.objects.write(type, from.objects.read(id, type));
}

/** Takes over the tags of what is here by now. */
function followTags(to: Repository, from: Repository): void {
	for (const { name, id } of from.refs.list('refs/tags/')) {
		if (to.refs.resolve(name) !== null || !to.objects.has(from.peeled(id))) continue;
		copyObjects(to, from, [id]);
		to.refs.update(name, id, '');
	}
}

function writeFetchHead(to: Repository, wanted: readonly FetchedRef[], url: string): void {
	const lines = wanted.map(({ id, source }) => {
		const what = source === 'HEAD' ? '' : `${kindOf(source)} '${shortName(source)}' of `;
		return `${id}\t\t${what}${url}\n`;
	});
	to.files.writeFile(`${to.gitDir}/FETCH_HEAD`, encode(lines.join('')));
}

const kindOf = (name: string): string =>
	name.startsWith('refs/tags/') ? 'tag' : name.startsWith('refs/remotes/') ? 'remote-tracking branch' : 'branch';

export const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags|remotes)\//, '');
