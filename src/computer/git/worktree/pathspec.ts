import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from './wildmatch.ts';

/** Paths given to a command: files, directories, patterns, `:!` and `:(exclude)`. */
export class Pathspec {
	readonly items: { given: string; path: string; matches: (path: string) => boolean }[] = [];
	#excluded: ((path: string) => boolean)[] = [];
	/** Directory that paths must be below if only exclude patterns are given. */
	readonly #inside: string = '';

	/** @param staysInside with exclude patterns only, matches only paths below the working directory */
	constructor(repository: Repository, given: readonly string[], staysInside = false) {
		const everywhere = settingsOf(repository.env);
		for (const text of given) {
			if (text === '')
				throw fatal('empty string is not a valid pathspec. please use . instead if you meant to match all paths');
			const { magic, plain } = magicOf(text, everywhere);
			const path = magic.has('top')
				? plain.replace(/^(?:\.(?:\/+|$))+/, '').replace(/\/$/, '')
				: repository.fromCwd(plain === '' ? '.' : plain);
			const matches = matcher(path, magic);
			if (magic.has('exclude')) this.#excluded.push(matches);
			else this.items.push({ given: text, path, matches });
		}
		if (staysInside && this.items.length === 0 && given.length > 0) this.#inside = repository.prefix;
	}

	get isEmpty(): boolean {
		return this.items.length === 0 && this.#excluded.length === 0;
	}

	matches(path: string): boolean {
		const included =
			this.items.length === 0 ? path.startsWith(this.#inside) : this.items.some((item) => item.matches(path));
		return included && !this.#excluded.some((matches) => matches(path));
	}

	/** First item that matches none of `paths`. */
	unmatched(paths: Iterable<string>): string | undefined {
		const all = [...paths];
		return this.items.find((item) => item.path !== '' && !all.some((path) => item.matches(path)))?.given;
	}
}

const SHORT_MAGIC: Readonly<Record<string, string>> = { '!': 'exclude', '^': 'exclude', '/': 'top' };
const MAGIC = new Set(['exclude', 'top', 'icase', 'literal', 'glob']);

/** Magic that the environment gives to all pathspecs. */
type Everywhere = ReadonlySet<'literal' | 'glob' | 'noglob' | 'icase'>;

/** Reads `GIT_LITERAL_PATHSPECS` and similar variables. @throws GitError if they contradict each other */
function settingsOf(env: Record<string, string>): Everywhere {
	const all = (['literal', 'glob', 'noglob', 'icase'] as const).filter((word) => {
		const name = `GIT_${word.toUpperCase()}_PATHSPECS`;
		const value = env[name];
		if (value === undefined) return false;
		const isSet = value === '' ? false : booleanOf(value);
		if (isSet === null) throw fatal(`bad boolean environment value '${value}' for '${name}'`);
		return isSet;
	});
	const found = new Set(all);
	if (found.has('glob') && found.has('noglob'))
		throw fatal("global 'glob' and 'noglob' pathspec settings are incompatible");
	if (found.has('literal') && (found.has('glob') || found.has('icase')))
		throw fatal("global 'literal' pathspec setting is incompatible with all other global pathspec settings");
	return found;
}

/** Splits off pathspec magic: `:!`, `:/`, `:(top,icase)`. @throws GitError for an unknown magic word */
function magicOf(text: string, everywhere: Everywhere): { magic: Set<string>; plain: string } {
	if (everywhere.has('literal')) return { magic: new Set(['literal']), plain: text };
	const { magic, plain } = ownMagicOf(text);
	if (magic.has('literal') && magic.has('glob')) throw fatal(`${text}: 'literal' and 'glob' are incompatible`);
	if (everywhere.has('icase')) magic.add('icase');
	if (everywhere.has('glob') && !magic.has('literal')) magic.add('glob');
	if (everywhere.has('noglob') && !magic.has('glob')) magic.add('literal');
	return { magic, plain };
}

function ownMagicOf(text: string): { magic: Set<string>; plain: string } {
	const [whole = '', words] = /^:\(([^)]*)\)/.exec(text) ?? [];
	if (words !== undefined) {
		const magic = new Set(words.split(',').filter(Boolean));
		for (const word of magic) if (!MAGIC.has(word)) throw fatal(`Invalid pathspec magic '${word}' in '${text}'`);
		return { magic, plain: text.slice(whole.length) };
	}
	const [short = ''] = /^:[!^/]+:?/.exec(text) ?? [];
	const magic = new Set([...short].flatMap((letter) => SHORT_MAGIC[letter] ?? []));
	return { magic, plain: text.slice(short.length) };
}

function matcher(given: string, magic: ReadonlySet<string>): (path: string) => boolean {
	if (given === '') return () => true;
	const ignoresCase = magic.has('icase');
	const fold = (path: string) => (ignoresCase ? path.toLowerCase() : path);
	const path = fold(given);
	const below = `${path}/`;
	const hasPattern = !magic.has('literal') && /[*?[\\]/.test(path);
	const pattern = hasPattern ? wildmatch(given, !magic.has('glob'), ignoresCase) : null;
	return (candidate) => {
		const name = fold(candidate);
		return name === path || name.startsWith(below) || pattern?.test(candidate) === true;
	};
}
