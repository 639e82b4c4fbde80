import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { hiddenRefs } from '../refs/hidden-refs.ts';
import type { Ref } from '../refs/refs.ts';
import { namedStart, type NamedStart } from './listed-objects.ts';
import type { Repository } from '../repository.ts';
import { NULL_ID } from '../objects/object.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { REF_SPACES } from './filter.ts';

/** Arguments of a command that walks history, with options that name commits replaced by the commits. */
export interface NamedStarts {
	args: string[];
	/** Set if an option names commits, even if it matches none. */
	isNamed: boolean;
	/** Tags, trees and blobs that the options' references point to. */
	others: readonly NamedStart[];
	/** References that the options selected, by the ids of their commits. */
	refs: ReadonlyMap<string, string>;
}

export const SPACES: Readonly<Record<string, string>> = {
	'--all': 'refs/',
	'--branches': REF_SPACES.branches,
	'--tags': REF_SPACES.tags,
	'--remotes': REF_SPACES.remotes,
	'--glob': 'refs/'
};

/**
 * Parses the order-dependent options of git-rev-list(1): `--not` negates what follows, `--exclude` applies to the
 * next option that names refs, `--stdin` provides more of all of them.
 *
 * @throws GitError if `--glob` or `--exclude` lacks its pattern
 */
export function namedStarts(git: Invocation, args: readonly string[]): NamedStarts {
	return new Reader(git).read(args);
}

/** Refs that `--exclude` and `--exclude-hidden` exclude from the next option that names refs. */
export interface Exclusions {
	patterns: string[];
	isHidden: ((name: string) => boolean) | null;
}

export const noExclusions = (): Exclusions => ({ patterns: [], isHidden: null });

/** Parses `--exclude=` or `--exclude-hidden=`. @returns false for others @throws GitError for a wrong section */
export function readExclusion(git: Pick<Invocation, 'repository'>, exclusions: Exclusions, arg: string): boolean {
	const [, isHiding, value = ''] = /^--exclude(-hidden)?=(.*)$/s.exec(arg) ?? [];
	if (!/^--exclude(?:-hidden)?=/.test(arg)) return false;
	if (isHiding === undefined) exclusions.patterns.push(value);
	else {
		if (value !== 'receive' && value !== 'uploadpack') throw fatal(`unsupported section for hidden refs: ${value}`);
		if (exclusions.isHidden) throw fatal('--exclude-hidden= passed more than once');
		exclusions.isHidden = hiddenRefs(git.repository.config, value);
	}
	return true;
}

/**
 * Refs named by `--all`, `--branches`, `--tags`, `--remotes` or `--glob`.
 *
 * @param pattern by default, all refs of the option
 * @throws GitError for `--exclude-hidden` with an option other than `--all` and `--glob`
 */
export function refsNamed(
	repository: Repository,
	option: string,
	pattern: string | undefined,
	{ patterns: excluded, isHidden }: Exclusions
): Ref[] {
	if (isHidden && option !== '--all' && option !== '--glob')
		throw new GitError(`error: --exclude-hidden cannot be used together with ${option}`, 255);
	const space = SPACES[option] ?? 'refs/';
	const isGlob = pattern !== undefined && /[*?[]/.test(pattern);
	const isFull = option === '--glob' && (pattern ?? '').startsWith('refs/');
	const whole = pattern === undefined || pattern === '' ? '**' : isGlob ? pattern : `${pattern.replace(/\/$/, '')}/**`;
	const matches = wildmatch(isFull ? whole : `${space}${whole}`, true);
	const short = option === '--all' || option === '--glob' ? '' : space;
	const left = excluded.map((one) => wildmatch(short + one, true));
	return repository.refs
		.list('refs/')
		.filter(({ name }) => matches.test(name) && !left.some((one) => one.test(name)) && !isHidden?.(name));
}

class Reader {
	readonly #starts: string[] = [];
	readonly #others: string[] = [];
	#exclusions = noExclusions();
	#isNegated = false;
	#isNamed = false;
	readonly #otherStarts: NamedStart[] = [];
	readonly #refs = new Map<string, string>();

	constructor(private readonly git: Invocation) {}

	read(args: readonly string[]): NamedStarts {
		const end = args.indexOf('--');
		const left = [...(end < 0 ? args : args.slice(0, end))];
		let paths = end < 0 ? [] : args.slice(end);
		for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
			if (arg === '--stdin') paths = [...paths, ...this.#readStdin(paths.length > 0)];
			else this.#take(arg, left);
		}
		return {
			args: [...this.#starts, ...this.#others, ...paths],
			isNamed: this.#isNamed,
			others: this.#otherStarts,
			refs: this.#refs
		};
	}

	#take(arg: string, left: string[]): void {
		const [, name = '', value] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
		if (readExclusion(this.git, this.#exclusions, arg)) return;
		if (arg === '--not') this.#isNegated = !this.#isNegated;
		else if (name === '--exclude' || name === '--glob') {
			const pattern = value ?? left.shift();
			if (pattern === undefined) throw fatal(`Option '${name.slice(2)}' requires a value`);
			if (name === '--exclude') this.#exclusions.patterns.push(pattern);
			else this.#addRefs('--glob', pattern);
		} else if (arg === '--reflog') this.#add(reflogIds(this.git.repository));
		else if (SPACES[name] !== undefined) this.#addRefs(name, value);
		else if (arg.startsWith('-') || !this.#isNegated) this.#others.push(arg);
		else this.#others.push(arg.startsWith('^') ? arg.slice(1) : `^${arg}`);
	}

	/** Adds the refs of an option, without the excluded ones. */
	#addRefs(option: string, pattern: string | undefined): void {
		const { repository } = this.git;
		const head = option === '--all' ? repository.head() : null;
		const found = refsNamed(repository, option, pattern, this.#exclusions);
		this.#exclusions = noExclusions();
		for (const { name, id } of found) {
			if (repository.objects.find(id)?.type !== 'commit')
				this.#otherStarts.push(...namedStart(repository, id, '', this.#isNegated));
			const commit = repository.peeled(id);
			if (!this.#refs.has(commit)) this.#refs.set(commit, name);
		}
		this.#add([...found.map(({ id }) => id), ...(head === null ? [] : [head])]);
	}

	/** Adds commits; skips other objects, which have no history. */
	#add(ids: readonly string[]): void {
		const { repository } = this.git;
		this.#isNamed = true;
		for (const id of new Set(ids.map((one) => repository.peeled(one))))
			if (repository.objects.find(id)?.type === 'commit') this.#starts.push(this.#isNegated ? `^${id}` : id);
	}

	/** Reads stdin: commits and options, and paths after `--`. */
	#readStdin(hasEnd: boolean): string[] {
		const lines = decode(this.git.input()).split('\n');
		if (lines.at(-1) === '') lines.pop();
		const end = lines.indexOf('--');
		const left = end < 0 ? lines : lines.slice(0, end);
		this.#isNamed = true;
		const isNegated = this.#isNegated;
		for (let line = left.shift(); line !== undefined; line = left.shift()) if (line !== '') this.#take(line, left);
		this.#isNegated = isNegated;
		return end < 0 ? [] : lines.slice(hasEnd ? end + 1 : end);
	}
}

/** Commits in the reflogs of all refs. */
function reflogIds(repository: Repository): string[] {
	const names = ['HEAD', ...repository.refs.list('refs/').map(({ name }) => name)];
	const entries = names.flatMap((name) => repository.refs.reflog(name).flatMap(({ from, to }) => [from, to]));
	return entries.filter((id) => id !== NULL_ID && repository.objects.has(id));
}
