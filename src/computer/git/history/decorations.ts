import { COLOR_RESET, slotColor } from '../color-choice.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { taggedId } from '../objects/tag.ts';

type Kind = 'HEAD' | 'branch' | 'remoteBranch' | 'tag' | 'stash' | 'grafted' | null;

interface Name {
	kind: Kind;
	/** Full ref name. */
	ref: string;
}

/** Selects the refs that decorate commits. */
export interface DecorationFilter {
	wanted: readonly string[];
	unwanted: readonly string[];
	/** All refs, including those omitted by default. */
	isWhole: boolean;
}

/** Default colors, overridden by `color.decorate.*`. */
const COLORS: Readonly<Record<Exclude<Kind, null>, string>> = {
	...{ branch: 'bold green', remoteBranch: 'bold red', tag: 'bold yellow' },
	...{ stash: 'bold magenta', HEAD: 'bold cyan', grafted: 'bold blue' }
};

const USUAL = ['HEAD', 'refs/heads', 'refs/tags', 'refs/remotes', 'refs/stash', 'refs/replace'];

/** Text around and between names. */
export interface DecorationMarks {
	before: string;
	between: string;
	after: string;
}

/** Names of refs at commits: ` (HEAD -> main, tag: v1)`. */
export class Decorations {
	#names: Map<string, Name[]> | undefined;
	readonly #colors = new Map<Kind, string>();

	constructor(
		private readonly repository: Repository,
		private readonly filter: DecorationFilter,
		/** Shows full names: `refs/heads/main`. */
		private readonly isFull: boolean
	) {}

	/** Names of a commit with marks around them; '' if it has none. */
	text(id: string, isColored: boolean, marks: DecorationMarks): string {
		const names = this.#all().get(id) ?? [];
		if (names.length === 0) return '';
		const commit = isColored ? slotColor(this.repository, 'diff', 'commit', 'yellow') : '';
		const reset = isColored ? COLOR_RESET : '';
		const color = (kind: Kind) => (isColored ? this.#color(kind) : '');
		const target = names.some(({ kind }) => kind === 'HEAD') ? this.repository.refs.symbolic('HEAD') : null;
		const current = names.find(({ kind, ref }) => kind === 'branch' && ref === target);
		let shown = '';
		let mark = marks.before;
		for (const name of names) {
			if (name === current) continue;
			const tag = name.kind === 'tag' ? 'tag: ' : '';
			shown += `${commit}${mark}${reset}${color(name.kind)}${tag}${this.#shown(name)}`;
			if (name.kind === 'HEAD' && current) shown += ` -> ${reset}${color(current.kind)}${this.#shown(current)}`;
			shown += reset;
			mark = marks.between;
		}
		return `${shown}${commit}${marks.after}${reset}`;
	}

	/** Checks whether a ref points to a commit. */
	has(id: string): boolean {
		return this.#all().has(id);
	}

	#color(kind: Kind): string {
		if (kind === null) return COLOR_RESET;
		let color = this.#colors.get(kind);
		if (color === undefined)
			this.#colors.set(kind, (color = slotColor(this.repository, 'decorate', kind, COLORS[kind])));
		return color;
	}

	#shown({ ref }: Name): string {
		return this.isFull ? ref : ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');
	}

	#all(): Map<string, Name[]> {
		this.#names ??= namesOf(this.repository, this.filter);
		return this.#names;
	}
}

function namesOf(repository: Repository, filter: DecorationFilter): Map<string, Name[]> {
	const found = new Map<string, Name[]>();
	// git prepends each name it finds.
	const add = (id: string, name: Name) => found.set(id, [name, ...(found.get(id) ?? [])]);
	const isChosen = choice(repository, filter);
	for (const { name: ref, id } of repository.refs.list('refs/')) {
		if (!isChosen(ref)) continue;
		if (ref.startsWith('refs/replace/')) {
			const replaced = ref.slice('refs/replace/'.length);
			if (repository.objects.replacementOf(replaced) !== replaced) add(replaced, { kind: 'grafted', ref: 'replaced' });
			continue;
		}
		add(id, { kind: kindOf(ref), ref });
		for (let target = taggedBy(repository, id); target !== null; target = taggedBy(repository, target))
			add(target, { kind: 'tag', ref });
	}
	const head = repository.head();
	if (head !== null && isChosen('HEAD')) add(head, { kind: 'HEAD', ref: 'HEAD' });
	for (const id of repository.shallowCommits()) add(id, { kind: 'grafted', ref: 'grafted' });
	return found;
}

function kindOf(ref: string): Kind {
	if (ref.startsWith('refs/heads/')) return 'branch';
	if (ref.startsWith('refs/remotes/')) return 'remoteBranch';
	if (ref.startsWith('refs/tags/')) return 'tag';
	return ref === 'refs/stash' ? 'stash' : null;
}

function taggedBy(repository: Repository, id: string): string | null {
	const object = repository.objects.find(id);
	return object?.type === 'tag' ? taggedId(object.content) || null : null;
}

function choice({ config }: Repository, filter: DecorationFilter): (ref: string) => boolean {
	const excluded = config.values('log.excludedecoration');
	const isWhole = filter.isWhole || config.get('log.initialdecorationset') === 'all';
	const isUsual = !isWhole && [filter.wanted, filter.unwanted, excluded].every((list) => list.length === 0);
	const wanted = (isUsual ? USUAL : filter.wanted).map(matcher);
	const unwanted = filter.unwanted.map(matcher);
	const unwantedUsually = excluded.map(matcher);
	return (ref) => {
		const matches = (one: (name: string) => boolean) => one(ref);
		if (unwanted.some(matches)) return false;
		return wanted.length > 0 ? wanted.some(matches) : !unwantedUsually.some(matches);
	};
}

/** Matches a pattern; a plain name matches itself and everything below it. */
function matcher(pattern: string): (ref: string) => boolean {
	const full = pattern.startsWith('refs/') || pattern === 'HEAD' ? pattern : `refs/${pattern}`;
	const plain = full.replace(/\/+$/, '');
	if (!/[*?[\\]/.test(plain)) return (ref) => ref === plain || ref.startsWith(`${plain}/`);
	const regex = wildmatch(plain, true);
	return (ref) => regex.test(ref);
}

const known = new WeakMap<Repository, Decorations>();

/** Default decorations by the repository's settings. */
export function decorationsOf(repository: Repository): Decorations {
	let decorations = known.get(repository);
	if (!decorations) {
		decorations = new Decorations(repository, { wanted: [], unwanted: [], isWhole: false }, false);
		known.set(repository, decorations);
	}
	return decorations;
}
