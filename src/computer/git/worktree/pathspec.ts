import type { Repository } from '../repository.ts';
import { wildmatch } from './wildmatch.ts';

/** Paths as typed after a command: files, directories, patterns, `:!` and `:(exclude)`. */
export class Pathspec {
	readonly items: { given: string; path: string; matches: (path: string) => boolean }[] = [];
	#excluded: ((path: string) => boolean)[] = [];

	constructor(repository: Repository, given: readonly string[]) {
		for (const text of given) {
			const excluded = /^:(?:!|\^|\(exclude\))/.exec(text);
			const fromTop = /^:(?:\/|\(top\))/.exec(text);
			const plain = text.slice((excluded ?? fromTop)?.[0].length ?? 0);
			const path = fromTop ? plain.replace(/\/$/, '') : repository.fromCwd(plain === '' ? '.' : plain);
			const matches = matcher(path);
			if (excluded) this.#excluded.push(matches);
			else this.items.push({ given: text, path, matches });
		}
	}

	get isEmpty(): boolean {
		return this.items.length === 0 && this.#excluded.length === 0;
	}

	matches(path: string): boolean {
		const included = this.items.length === 0 || this.items.some((item) => item.matches(path));
		return included && !this.#excluded.some((matches) => matches(path));
	}

	/** The first item none of `paths` matches. */
	unmatched(paths: Iterable<string>): string | undefined {
		const all = [...paths];
		return this.items.find((item) => item.path !== '' && !all.some((path) => item.matches(path)))?.given;
	}
}

function matcher(path: string): (path: string) => boolean {
	if (path === '') return () => true;
	const below = `${path}/`;
	const pattern = /[*?[]/.test(path) ? wildmatch(path, true) : null;
	return (candidate) => candidate === path || candidate.startsWith(below) || pattern?.test(candidate) === true;
}
