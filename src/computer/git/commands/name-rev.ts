import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { parseSignature } from '../objects/commit.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

/** Steps that the way over a second or later parent counts as. */
const MERGE_STEPS = 65_535;

/** A name of a commit: a reference and the way from there. */
interface Name {
	text: string;
	/** Steps over first parents since the last part of the text. */
	generation: number;
	distance: number;
	isTag: boolean;
	/** When the tag was made, or the commit at a branch's tip. */
	seconds: number;
}

export const nameRev: Command = (git, args) => {
	const options = parseOptions('name-rev [<options>] <commit>...', args, {
		tags: '--tags',
		nameOnly: '--name-only',
		refs: '--refs =',
		exclude: '--exclude =',
		all: '--all',
		annotate: '--annotate-stdin --stdin',
		noUndefined: '--no-undefined',
		always: '--always'
	});
	const { repository } = git;
	const patterns = { wanted: options.all('refs'), unwanted: options.all('exclude'), tagsOnly: options.has('tags') };
	const names = namesOf(repository, patterns, options.has('nameOnly'));
	const shown = (id: string): string | null => {
		const name = names.get(id);
		return name === undefined ? null : withGeneration(name);
	};
	if (options.has('annotate')) return annotate(git, options.has('nameOnly'), shown);
	for (const text of options.has('all') ? [...names.keys()] : options.operands) {
		const id = findRevision(repository, text);
		if (id === null) {
			git.err(`Could not get sha1 for ${text}. Skipping.\n`);
			continue;
		}
		const name = shown(id) ?? shown(repository.peeled(id));
		const mayBeUndefined = !options.has('noUndefined');
		if (name === null && !mayBeUndefined && !options.has('always')) throw fatal(`cannot describe '${id}'`);
		const result = name ?? (mayBeUndefined ? 'undefined' : repository.objects.abbreviate(id));
		git.out(options.has('nameOnly') ? `${result}\n` : `${text} ${result}\n`);
	}
	return 0;
};

/** Puts names behind the ids in a text, or in their place. */
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

/** The best name of every commit that a reference reaches. */
function namesOf(
	repository: Repository,
	patterns: { wanted: string[]; unwanted: string[]; tagsOnly: boolean },
	isShort: boolean
): Map<string, Name> {
	const names = new Map<string, Name>();
	for (const { name, id } of repository.refs.list('refs/')) {
		const matches = (pattern: string) =>
			[name, name.replace(/^refs\//, ''), name.replace(/^refs\/\w+\//, '')].some((part) =>
				wildmatch(pattern).test(part)
			);
		if (patterns.tagsOnly && !name.startsWith('refs/tags/')) continue;
		if (patterns.unwanted.some(matches) || (patterns.wanted.length > 0 && !patterns.wanted.some(matches))) continue;
		const target = repository.peeled(id);
		if (repository.objects.find(target)?.type !== 'commit') continue;
		const isTag = name.startsWith('refs/tags/');
		const isCut = patterns.tagsOnly && isShort;
		const text = name.replace(isCut ? /^refs\/tags\// : /^refs\/(?:heads\/)?/, '') + (target === id ? '' : '^0');
		spread(repository, names, target, { text, generation: 0, distance: 0, isTag, seconds: secondsOf(repository, id) });
	}
	return names;
}

function secondsOf(repository: Repository, id: string): number {
	const object = repository.objects.find(id);
	if (object?.type === 'commit') return repository.commit(id).committer.seconds;
	const tagger = /^tagger (.*)$/m.exec(decode(object?.content ?? new Uint8Array(0)))?.[1];
	return tagger === undefined ? 0 : parseSignature(tagger).seconds;
}

/** Gives a commit and those before it a name, where it is better than the one that they have. */
function spread(repository: Repository, names: Map<string, Name>, tip: string, first: Name): void {
	const left: [id: string, name: Name][] = [[tip, first]];
	for (let next = left.pop(); next; next = left.pop()) {
		const [id, name] = next;
		const before = names.get(id);
		if (before && !isBetter(name, before)) continue;
		names.set(id, name);
		const parents = repository.parents(id).map((parent, index): [string, Name] => {
			if (index === 0) return [parent, { ...name, generation: name.generation + 1, distance: name.distance + 1 }];
			const text = `${withGeneration(name).replace(/\^0$/, '')}^${index + 1}`;
			return [parent, { ...name, text, generation: 0, distance: name.distance + MERGE_STEPS }];
		});
		left.push(...parents.reverse());
	}
}

/** Compares as git does: tags before branches, then the shorter way, then the older tag. */
function isBetter(one: Name, other: Name): boolean {
	if (one.isTag !== other.isTag) return one.isTag;
	if (one.distance !== other.distance && (one.isTag || one.seconds === other.seconds))
		return one.distance < other.distance;
	if (one.seconds !== other.seconds) return one.seconds < other.seconds;
	return one.distance < other.distance;
}
