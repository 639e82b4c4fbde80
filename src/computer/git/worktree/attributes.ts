import { decode, encode } from '../bytes.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import { findInTree } from './tree-files.ts';
import { wildmatch } from './wildmatch.ts';

/** State of an attribute: set, unset, or a value; absent if unspecified. */
export type Attribute = boolean | string;

interface AttributeRule {
	matches: (path: string, name: string) => boolean;
	states: ReadonlyMap<string, Attribute | null>;
}

/** Line length from which lines are ignored. */
const LONGEST_LINE = 2048;

/** Attributes of the built-in macro `binary`. */
const BINARY = new Map<string, Attribute | null>([
	['diff', false],
	['merge', false],
	['text', false]
]);

/** Source of attribute files: the working tree or the index, one of them with the other as fallback, or a tree. */
export type AttributePlace = 'files first' | 'index first' | 'files' | 'index' | { tree: string };

/** Attributes of paths as in gitattributes(5). Files are read when a path first needs them. */
export class Attributes {
	readonly #macros = new Map<string, ReadonlyMap<string, Attribute | null>>([['binary', BINARY]]);
	readonly #byDirectory = new Map<string, AttributeRule[]>();
	readonly #own: AttributeRule[];
	readonly #users: AttributeRule[];

	constructor(
		private readonly repository: Repository,
		private readonly place: AttributePlace = 'files first'
	) {
		const { config, env, gitDir } = repository;
		const home = env['HOME'] ?? '/home/user';
		const users =
			config.get('core.attributesfile')?.replace(/^~(?=\/)/, home) ??
			`${env['XDG_CONFIG_HOME'] || `${home}/.config`}/git/attributes`;
		this.#users = this.#rulesOf(this.#file(users));
		this.#own = this.#rulesOf(
			gitDir.startsWith('/dev/') ? null : this.#file(`${repository.commonDir}/info/attributes`)
		);
	}

	/** States of all attributes of a path, relative to the top of the working tree. */
	of(path: string): ReadonlyMap<string, Attribute> {
		const states = new Map<string, Attribute | null>();
		const take = (found: ReadonlyMap<string, Attribute | null>): void => {
			for (const [name, state] of found) {
				states.set(name, state);
				const macro = state === true ? this.#macros.get(name) : undefined;
				if (macro) take(macro);
			}
		};
		const apply = (rules: readonly AttributeRule[], shown: string): void => {
			const name = shown.slice(shown.lastIndexOf('/') + 1);
			for (const rule of rules) if (rule.matches(shown, name)) take(rule.states);
		};
		apply(this.#users, path);
		for (let slash = -1; ;) {
			apply(this.#inDirectory(path.slice(0, Math.max(0, slash))), path.slice(slash + 1));
			slash = path.indexOf('/', slash + 1);
			if (slash < 0) break;
		}
		apply(this.#own, path);
		return new Map([...states].flatMap(([name, state]) => (state === null ? [] : [[name, state] as const])));
	}

	/** One attribute of a path; undefined if unspecified. */
	get(path: string, name: string): Attribute | undefined {
		return this.of(path).get(name);
	}

	#inDirectory(directory: string): AttributeRule[] {
		let rules = this.#byDirectory.get(directory);
		if (!rules) {
			const path = directory === '' ? '.gitattributes' : `${directory}/.gitattributes`;
			this.#byDirectory.set(directory, (rules = this.#rulesOf(this.#tracked(path))));
		}
		return rules;
	}

	#tracked(path: string): string | null {
		const { repository, place } = this;
		const inFiles = () => (repository.isBare ? null : this.#inTree(path));
		if (typeof place !== 'string') return this.#stored(findInTree(repository.objects, place.tree, path)?.id);
		if (place === 'index') return this.#staged(path);
		if (place === 'files' || repository.gitDir.startsWith('/dev/')) return inFiles();
		return place === 'index first' ? (this.#staged(path) ?? inFiles()) : (inFiles() ?? this.#staged(path));
	}

	/** Text of a file in the working tree; null for a link, which could lead anywhere. */
	#inTree(path: string): string | null {
		const { files } = this.repository;
		const full = this.repository.absolute(path);
		const stat = files.statOrNull(full) && files.lstat(full);
		if (stat?.kind !== 'symlink') return this.#file(full);
		this.#warn(`unable to access '${path}': Too many levels of symbolic links`);
		return null;
	}

	#warn(text: string): void {
		this.repository.files.write(2, encode(`warning: ${text}\n`));
	}

	#staged(path: string): string | null {
		return this.#stored(this.repository.index.get(path)?.id);
	}

	#stored(id: string | undefined): string | null {
		const stored = id === undefined ? null : this.repository.objects.find(id);
		return stored?.type === 'blob' ? decode(stored.content) : null;
	}

	#file(path: string): string | null {
		if (this.repository.files.statOrNull(path)?.kind !== 'file') return null;
		const bytes = missingAsNull(() => this.repository.files.readFile(path));
		return bytes && decode(bytes);
	}

	#rulesOf(text: string | null): AttributeRule[] {
		const rules: AttributeRule[] = [];
		for (const [number, raw] of (text ?? '').split('\n').entries()) {
			const line = raw.trim();
			if (line === '' || line.startsWith('#')) continue;
			if (raw.length >= LONGEST_LINE) {
				this.#warn(`ignoring overly long attributes line ${number + 1}`);
				continue;
			}
			const [, quoted, plain, rest = ''] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))\s*(.*)$/s.exec(line) ?? [];
			const pattern = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
			const macro = /^\[attr\](.+)$/.exec(pattern)?.[1];
			const states = statesOf(rest);
			if (macro !== undefined) this.#macros.set(macro, states);
			else if (pattern.startsWith('!'))
				this.#warn("Negative patterns are ignored in git attributes\nUse '\\!' for literal leading exclamation.");
			// A directory pattern has no effect: only files have attributes.
			else if (!pattern.endsWith('/')) rules.push({ matches: matcherOf(pattern), states });
		}
		return rules;
	}
}

function matcherOf(pattern: string): AttributeRule['matches'] {
	const regex = wildmatch(pattern.replace(/^\//, ''));
	return pattern.includes('/') ? (path) => regex.test(path) : (_path, name) => regex.test(name);
}

function statesOf(text: string): Map<string, Attribute | null> {
	const states = new Map<string, Attribute | null>();
	for (const word of text.split(/\s+/).filter(Boolean)) {
		const equals = word.indexOf('=');
		if (word.startsWith('-')) states.set(word.slice(1), false);
		else if (word.startsWith('!')) states.set(word.slice(1), null);
		else if (equals > 0) states.set(word.slice(0, equals), word.slice(equals + 1));
		else states.set(word, true);
	}
	return states;
}
