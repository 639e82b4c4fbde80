import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { parseSignature } from '../objects/commit.ts';
import type { Ref } from '../refs/refs.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { shortRefName } from '../refs/short-name.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

/** Distance added for following a second or later parent. */
const MERGE_STEPS = 65_535;

/** Name of a commit: a ref and the path from it. */
interface Name {
	text: string;
	/** Number of first-parent steps to append to the text. */
	generation: number;
	distance: number;
	isTag: boolean;
	/** Date of the tag, or of the branch's tip. */
	seconds: number;
}

export const nameRev: Command = (git, args) => {
	const options = parseOptions('name-rev [<options>] <commit>...', args, {
		tags: '--tags',
		nameOnly: '--name-only',
		refs: '--refs = !',
		exclude: '--exclude = !',
		all: '--all',
		annotate: '--annotate-stdin',
		stdin: '--stdin',
		undefined: '--undefined !',
		always: '--always',
		peel: '--peel-tag'
	});
	const { repository } = git;
	const nameOnly = options.has('nameOnly');
	const names = new Names(repository, {
		wanted: options.all('refs'),
		unwanted: options.all('exclude'),
		tagsOnly: options.has('tags'),
		nameOnly
	});
	if (options.has('stdin'))
		git.err(
			'warning: --stdin is deprecated. Please use --annotate-stdin instead, which is functionally equivalent.\n' +
				'This option will be removed in a future release.\n'
		);
	if (options.has('annotate') || options.has('stdin')) return annotate(git, nameOnly, (id) => names.of(id));
	const mayBeUndefined = !options.isTakenBack('undefined') || options.has('undefined');
	for (const text of options.has('all') ? names.ids() : options.operands) {
		const id = findRevision(repository, text);
		const object = id === null || !options.has('peel') ? id : peel(repository, id, 'commit');
		if (id === null || object === null) {
			git.err(`Could not get ${id === null ? 'sha1' : 'commit'} for ${text}. Skipping.\n`);
			continue;
		}
		const name = names.of(object);
		if (name === null && !mayBeUndefined && !options.has('always')) throw fatal(`cannot describe '${object}'`);
		const result = name ?? (mayBeUndefined ? 'undefined' : repository.objects.abbreviate(object));
		git.out(nameOnly ? `${result}\n` : `${text} ${result}\n`);
	}
	return 0;
};

/** Adds names after the ids in a text, or replaces the ids. */
function annotate(git: Invocation, nameOnly: boolean, shown: (id: string) => string | null): number {
	const text = decode(git.input());
	git.out(
		text.replace(/\b[0-9a-f]{40}\b/g, (id) => {
			const name = shown(id);
			return name === null ? id : nameOnly ? name : `${id} (${name})`;
		})
	);
	return 0;
}

const withGeneration = ({ text, generation }: Name): string =>
	generation === 0 ? text : `${text.replace(/\^0$/, '')}~${generation}`;

interface Choice {
	wanted: readonly string[];
	unwanted: readonly string[];
	tagsOnly: boolean;
	nameOnly: boolean;
}

/** Ref used to name commits. */
interface Tip extends Omit<Name, 'generation' | 'distance'> {
	id: string;
	/** Commit to which the ref peels. */
	target: string;
}

/** Names of commits, and of other objects that refs point to. */
export class Names {
	readonly #commits = new Map<string, Name>();
	readonly #exact = new Map<string, string>();

	constructor(
		private readonly repository: Repository,
		choice: Choice
	) {
		const tips = repository.refs.list('refs/').flatMap((ref) => this.#tip(ref, choice) ?? []);
		// Tags first, then older refs first.
		tips.sort((a, b) => Number(b.isTag) - Number(a.isTag) || a.seconds - b.seconds);
		for (const { target, text, isTag, seconds } of tips)
			spread(repository, this.#commits, target, { text, generation: 0, distance: 0, isTag, seconds });
	}

	/** Returns the name of an object; null if it has none. */
	of(id: string): string | null {
		const name = this.#commits.get(id);
		if (this.repository.objects.find(id)?.type !== 'commit') return this.#exact.get(id) ?? null;
		return name === undefined ? null : withGeneration(name);
	}

	/** Returns the ids of commits that have names. */
	ids(): string[] {
		return [...this.#commits.keys()];
	}

	#tip({ name, id }: Ref, { wanted, unwanted, tagsOnly, nameOnly }: Choice): Tip | null {
		const isTag = name.startsWith('refs/tags/');
		if (tagsOnly && !isTag) return null;
		if (unwanted.some((pattern) => matchAt(name, pattern) !== null)) return null;
		const places = wanted.map((pattern) => matchAt(name, pattern)).filter((place) => place !== null);
		if (wanted.length > 0 && places.length === 0) return null;
		const isShort = (tagsOnly && nameOnly) || places.some((place) => place > 0);
		const text = isShort ? shortRefName(this.repository.refs, name, false) : name.replace(/^refs\/(?:heads\/)?/, '');
		if (!this.#exact.has(id)) this.#exact.set(id, text);
		const target = this.repository.peeled(id);
		if (this.repository.objects.find(target)?.type !== 'commit') return null;
		return { id, target, text: text + (target === id ? '' : '^0'), isTag, seconds: secondsOf(this.repository, id) };
	}
}

/** Index from which the rest of a name matches a pattern; null if none. */
function matchAt(name: string, pattern: string): number | null {
	const regex = wildmatch(pattern, true);
	for (let at = 0; ;) {
		if (regex.test(name.slice(at))) return at;
		const slash = name.indexOf('/', at);
		if (slash < 0) return null;
		at = slash + 1;
	}
}

function secondsOf(repository: Repository, id: string): number {
	const object = repository.objects.find(id);
	if (object?.type === 'commit') return repository.commit(id).committer.seconds;
	const tagger = /^tagger (.*)$/m.exec(decode(object?.content ?? new Uint8Array(0)))?.[1];
	return tagger === undefined ? 0 : parseSignature(tagger).seconds;
}

/** Names a commit and its ancestors, unless they already have better names. */
function spread(repository: Repository, names: Map<string, Name>, tip: string, first: Name): void {
	const left: string[] = [];
	const take = (id: string, name: Name): boolean => {
		const before = names.get(id);
		if (before && !isBetter(name, before)) return false;
		names.set(id, name);
		return true;
	};
	if (take(tip, first)) left.push(tip);
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		const name = names.get(id)!;
		const taken = repository.parents(id).filter((parent, index) => {
			if (index === 0) return take(parent, { ...name, generation: name.generation + 1, distance: name.distance + 1 });
			const text = `${withGeneration(name).replace(/\^0$/, '')}^${index + 1}`;
			return take(parent, { ...name, text, generation: 0, distance: name.distance + MERGE_STEPS });
		});
		left.push(...taken.reverse());
	}
}

/** Compares names like git: tags are better than other refs, a nearer tag is better, otherwise an older ref. */
function isBetter(one: Name, other: Name): boolean {
	const far = ({ distance, generation }: Name) => distance + (generation > 0 ? MERGE_STEPS : 0);
	if (one.isTag && other.isTag) return far(one) < far(other);
	if (one.isTag !== other.isTag) return one.isTag;
	if (one.seconds !== other.seconds) return one.seconds < other.seconds;
	return far(one) < far(other);
}
