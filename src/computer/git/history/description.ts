import { booleanOf } from '../config/values.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { parseSignature } from '../objects/commit.ts';
import { isDirectory } from '../objects/tree.ts';
import { peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { walkHistory } from './walk.ts';

/** Maximum number of candidates: each uses one bit in the set of candidates that reach a commit. */
const MOST_CANDIDATES = 26;

/** Options for describing commits by earlier tags. */
export interface DescriptionOptions {
	/** Includes lightweight tags. */
	tags?: boolean;
	/** Includes all refs. */
	all?: boolean;
	/** Falls back to the id if nothing describes the commit. */
	always?: boolean;
	isLong?: boolean;
	firstParent?: boolean;
	/** Number of id digits; 0 shows only the tag. */
	digits?: number | undefined;
	/** Number of tags to consider; 0 for only those at the commit itself. */
	candidates?: number;
	match?: readonly string[];
	exclude?: readonly string[];
	/** Reports the progress of the search. */
	debug?: ((line: string) => void) | undefined;
	warn?: ((line: string) => void) | undefined;
}

/** Name of a commit. */
interface Named {
	/** Path without `refs/tags/`, or without `refs/` if all refs are included. */
	path: string;
	/** 2 for an annotated tag, 1 for a lightweight tag, 0 for another ref. */
	rank: number;
	/** Name stored in the tag object. */
	tag: string | null;
	seconds: number;
}

interface Candidate {
	name: Named;
	depth: number;
	bit: number;
}

/** Describes objects by earlier names. */
export class Describer {
	readonly #names: Map<string, Named>;
	readonly #warned = new Set<Named>();

	/** @throws GitError if there are no names */
	constructor(
		private readonly repository: Repository,
		private readonly options: DescriptionOptions
	) {
		this.#names = namesOf(repository, options);
		if (this.#names.size === 0 && !options.always) throw fatal('No names found, cannot describe anything.');
	}

	/** @throws GitError if nothing describes it */
	describe(id: string, text: string): string {
		const commit = peel(this.repository, id, 'commit');
		if (commit !== null) return this.#commit(commit);
		if (this.repository.objects.find(id)?.type === 'blob') return this.#blob(id);
		throw fatal(`${text} is neither a commit nor blob`);
	}

	#commit(id: string): string {
		const { options } = this;
		const own = this.#names.get(id);
		if (own && this.#counts(own)) {
			const { shown, isMisnamed } = this.#shown(own);
			return isMisnamed || options.isLong ? shown + this.#suffix(0, id) : shown;
		}
		if (options.candidates === 0) throw fatal(`no tag exactly matches '${id}'`);
		options.debug?.('No exact match on refs or tags, searching to describe\n');
		const { best, hasPlain } = new Search(this.repository, this.#names, options, (name) => this.#counts(name)).run(id);
		if (!best) {
			if (options.always) return options.digits === 0 ? id : this.#short(id);
			throw hasPlain
				? fatal(`No annotated tags can describe '${id}'.\nHowever, there were unannotated tags: try --tags.`)
				: fatal(`No tags can describe '${id}'.\nTry --always, or create some tags.`);
		}
		const { shown, isMisnamed } = this.#shown(best.name);
		return isMisnamed || options.digits !== 0 ? shown + this.#suffix(best.depth, id) : shown;
	}

	#counts({ rank }: Named): boolean {
		return rank === 2 || this.options.tags === true || this.options.all === true;
	}

	#shown(name: Named): { shown: string; isMisnamed: boolean } {
		const { path, tag } = name;
		if (tag === null) return { shown: path, isMisnamed: false };
		const isMisnamed = tag !== (this.options.all ? path.slice(5) : path);
		if (isMisnamed && !this.#warned.has(name))
			this.options.warn?.(`warning: tag '${path}' is externally known as '${tag}'\n`);
		this.#warned.add(name);
		return { shown: this.options.all ? `tags/${tag}` : tag, isMisnamed };
	}

	#suffix(depth: number, id: string): string {
		return `-${depth}-g${this.#short(id)}`;
	}

	#short(id: string): string {
		return this.repository.objects.abbreviate(id, this.options.digits || undefined);
	}

	/** Describes the first commit that has a blob, and its path there. */
	#blob(id: string): string {
		const { repository } = this;
		const head = repository.head();
		const seen = new Set<string>();
		const visit = (tree: string, directory: string): string | null => {
			if (seen.has(tree)) return null;
			seen.add(tree);
			for (const entry of repository.objects.tree(tree)) {
				if (entry.id === id) return directory + entry.name;
				const below = isDirectory(entry.mode) ? visit(entry.id, `${directory}${entry.name}/`) : null;
				if (below !== null) return below;
			}
			return null;
		};
		const commits = head === null ? [] : [...walkHistory(repository, { include: [head], exclude: [] })].reverse();
		for (const commit of commits) {
			const path = visit(commit.commit.tree, '');
			if (path !== null) return `${this.#commit(commit.id)}:${path}`;
		}
		return '';
	}
}

/** Searches the name with the fewest commits between it and the start. */
class Search {
	readonly #found: Candidate[] = [];
	readonly #reached = new Map<string, number>();
	readonly #queue: { id: string; seconds: number }[] = [];

	constructor(
		private readonly repository: Repository,
		private readonly names: ReadonlyMap<string, Named>,
		private readonly options: DescriptionOptions,
		private readonly counts: (name: Named) => boolean
	) {}

	run(start: string): { best: Candidate | undefined; hasPlain: boolean } {
		const most = Math.min(this.options.candidates ?? 10, MOST_CANDIDATES);
		let seen = 0;
		let hasPlain = false;
		let gaveUp: string | null = null;
		this.#push(start, 0);
		for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
			const { id } = next;
			const name = this.names.get(id);
			seen++;
			if (name && !this.counts(name)) hasPlain = true;
			else if (name && this.#found.length === most) {
				gaveUp = id;
				break;
			} else if (name) this.#add(id, name, seen - 1);
			for (const one of this.#found) if (!(this.#reached.get(id)! & one.bit)) one.depth++;
			if (this.#queue.length === 0 && this.#isDecided(id)) break;
			this.#pushParents(id);
		}
		this.#found.sort((a, b) => a.depth - b.depth || a.bit - b.bit);
		const best = this.#found[0];
		if (gaveUp !== null) {
			this.#insert(gaveUp);
			seen--;
		}
		if (best) seen += this.#finish(best);
		this.#report(seen, gaveUp, most);
		return { best, hasPlain };
	}

	#add(id: string, name: Named, depth: number): void {
		const bit = 1 << (this.#found.length + 1);
		this.#found.push({ name, depth, bit });
		this.#reached.set(id, this.#reached.get(id)! | bit);
	}

	/** Returns whether all of the nearest candidates reach the last remaining commit. */
	#isDecided(id: string): boolean {
		if (!this.#found.some(({ name }) => name.rank === 2)) return false;
		const least = Math.min(...this.#found.map(({ depth }) => depth));
		const bits = this.#found.filter(({ depth }) => depth === least).reduce((all, { bit }) => all | bit, 0);
		return (this.#reached.get(id)! & bits) === bits;
	}

	/** Completes the count of commits that the best candidate does not reach. */
	#finish(best: Candidate): number {
		let seen = 0;
		const isBehind = (id: string) => (this.#reached.get(id)! & best.bit) !== 0;
		for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
			seen++;
			if (!isBehind(next.id)) best.depth++;
			else if (this.#queue.every(({ id }) => isBehind(id))) break;
			for (const parent of this.repository.parents(next.id)) this.#push(parent, this.#reached.get(next.id)!);
		}
		return seen;
	}

	#pushParents(id: string): void {
		const parents = this.repository.parents(id);
		for (const parent of this.options.firstParent ? parents.slice(0, 1) : parents)
			this.#push(parent, this.#reached.get(id)!);
	}

	#push(id: string, bits: number): void {
		const before = this.#reached.get(id);
		this.#reached.set(id, (before ?? 0) | bits);
		if (before === undefined) this.#insert(id);
	}

	#insert(id: string): void {
		const { seconds } = this.repository.commit(id).committer;
		let at = this.#queue.length;
		while (at > 0 && this.#queue[at - 1]!.seconds < seconds) at--;
		this.#queue.splice(at, 0, { id, seconds });
	}

	#report(seen: number, gaveUp: string | null, most: number): void {
		const { debug } = this.options;
		if (!debug || this.#found.length === 0) return;
		const kinds = ['head', 'lightweight', 'annotated'];
		for (const { name, depth } of this.#found)
			debug(` ${kinds[name.rank]!.padEnd(11)} ${String(depth).padStart(8)} ${name.path}\n`);
		debug(`traversed ${seen} commits\n`);
		if (gaveUp !== null)
			debug(`more than ${most} tags found; listed ${most} most recent\ngave up search at ${gaveUp}\n`);
	}
}

function namesOf(repository: Repository, options: DescriptionOptions): Map<string, Named> {
	const found = new Map<string, Named>();
	const matchers = (patterns: readonly string[] | undefined) => (patterns ?? []).map((one) => wildmatch(one, true));
	const [wanted, unwanted] = [matchers(options.match), matchers(options.exclude)];
	for (const { name, id } of repository.refs.list('refs/')) {
		const isTag = name.startsWith('refs/tags/');
		if (!isTag && !options.all) continue;
		const short = /^refs\/(?:tags|heads|remotes)\/(.*)$/s.exec(name)?.[1];
		if (short === undefined && wanted.length + unwanted.length > 0) continue;
		if (unwanted.some((one) => one.test(short!))) continue;
		if (wanted.length > 0 && !wanted.some((one) => one.test(short!))) continue;
		const target = repository.peeled(id);
		const rank = target !== id ? 2 : isTag ? 1 : 0;
		const before = found.get(target);
		const named = { path: name.slice(options.all ? 5 : 10), rank, ...tagOf(repository, rank === 2 ? id : null) };
		// Of several annotated tags, the newest wins.
		if (before && (before.rank > rank || (before.rank === rank && (rank < 2 || before.seconds >= named.seconds))))
			continue;
		found.set(target, named);
	}
	return found;
}

function tagOf(repository: Repository, id: string | null): Pick<Named, 'tag' | 'seconds'> {
	const object = id === null ? null : repository.objects.find(id);
	if (object?.type !== 'tag') return { tag: null, seconds: 0 };
	const [head = ''] = decode(object.content).split('\n\n', 1);
	const tagger = /^tagger (.*)$/m.exec(head)?.[1];
	return {
		tag: /^tag (.*)$/m.exec(head)?.[1] ?? '',
		seconds: tagger === undefined ? 0 : parseSignature(tagger).seconds
	};
}

/** Value of `%(describe:…)`; '' if nothing describes the commit, null for an invalid option. */
export function placeholderDescription(repository: Repository, id: string, text: string): string | null {
	const options: DescriptionOptions & { match: string[]; exclude: string[] } = { match: [], exclude: [] };
	for (const part of text === '' ? [] : text.split(',')) {
		const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(part) ?? [];
		const flag = value === undefined ? true : booleanOf(value);
		if (name === 'tags' && flag !== null) options.tags = flag;
		else if (name === 'abbrev' && /^-?\d+$/.test(value ?? '')) options.digits = Number(value);
		else if ((name === 'match' || name === 'exclude') && value) options[name].push(value);
		else return null;
	}
	try {
		return new Describer(repository, options).describe(id, id);
	} catch (error) {
		// Empty if nothing describes the commit.
		if (error instanceof GitError) return '';
		throw error;
	}
}
