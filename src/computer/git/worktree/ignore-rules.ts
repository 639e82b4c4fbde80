import { wildmatch } from './wildmatch.ts';

interface Rule {
	pattern: RegExp;
	/** Matches the last component of the path instead of the whole path. */
	nameOnly: boolean;
	directoryOnly: boolean;
	negated: boolean;
	/** Pattern as written, and its origin. */
	text: string;
	line: number;
	/** Name of the file it is from, unless that is a `.gitignore` file in the working tree. */
	source: string;
}

/** Rules of `.gitignore` files, by directory. */
export class IgnoreRules {
	#byDirectory = new Map<string, Rule[]>();
	#everywhere: Rule[] = [];
	#commandLine: Rule[] = [];

	/** @param directory relative to the top, '' for the top */
	add(directory: string, text: string): void {
		this.#byDirectory.set(directory, parseRules(text));
	}

	/** Rules that any `.gitignore` overrides: `.git/info/exclude`, `core.excludesFile`. Later ones win. */
	addGlobal(text: string, source = ''): void {
		this.#everywhere.push(...parseRules(text, source));
	}

	/** Rules that override all others: `clean --exclude`. Later ones win. */
	addCommandLine(text: string): void {
		this.#commandLine.push(...parseRules(text));
	}

	/** Returns true if `path` itself is ignored; callers check its directories first. */
	ignores(path: string, isDirectory: boolean): boolean {
		const asked = judge(this.#commandLine, path, isDirectory);
		if (asked !== undefined) return asked;
		for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
			const directory = end < 0 ? '' : path.slice(0, end);
			const rules = this.#byDirectory.get(directory);
			const verdict = rules && judge(rules, end < 0 ? path : path.slice(end + 1), isDirectory);
			if (verdict !== undefined) return verdict;
			if (end <= 0) break;
		}
		return judge(this.#everywhere, path, isDirectory) ?? false;
	}

	/** Result of the top-level rules only; undefined if none matches. */
	judged(path: string, isDirectory: boolean): boolean | undefined {
		return judge(this.#byDirectory.get('') ?? [], path, isDirectory);
	}

	/**
	 * Rule that decides about `path` or one of its parent directories, as shown by `check-ignore -v`; null if none does.
	 */
	deciding(
		path: string,
		isDirectory: boolean
	): { source: string; line: number; text: string; negated: boolean } | null {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
			if (this.ignores(path.slice(0, end), true)) return this.#decides(path.slice(0, end), true);
		}
		return this.#decides(path, isDirectory);
	}

	#decides(path: string, isDirectory: boolean) {
		for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
			const directory = end < 0 ? '' : path.slice(0, end);
			const rule = decides(this.#byDirectory.get(directory) ?? [], end < 0 ? path : path.slice(end + 1), isDirectory);
			if (rule) return { ...rule, source: directory === '' ? '.gitignore' : `${directory}/.gitignore` };
			if (end <= 0) break;
		}
		const rule = decides(this.#everywhere, path, isDirectory);
		return rule ?? null;
	}

	/** Returns true if `path` or a directory above it is ignored. */
	ignoresBelow(path: string, isDirectory: boolean): boolean {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
			if (this.ignores(path.slice(0, end), true)) return true;
		}
		return this.ignores(path, isDirectory);
	}
}

function judge(rules: readonly Rule[], path: string, isDirectory: boolean): boolean | undefined {
	const rule = decides(rules, path, isDirectory);
	return rule && !rule.negated;
}

/** Last rule that matches. */
function decides(rules: readonly Rule[], path: string, isDirectory: boolean): Rule | undefined {
	const name = path.slice(path.lastIndexOf('/') + 1);
	for (let i = rules.length - 1; i >= 0; i--) {
		const rule = rules[i]!;
		if (rule.directoryOnly && !isDirectory) continue;
		if (rule.pattern.test(rule.nameOnly ? name : path)) return rule;
	}
	return undefined;
}

function parseRules(text: string, source = ''): Rule[] {
	const rules: Rule[] = [];
	for (const [index, raw] of text.split(/\r?\n/).entries()) {
		let line = raw.replace(/(?<!\\) +$/, '');
		if (line === '' || line.startsWith('#')) continue;
		const written = line;
		const negated = line.startsWith('!');
		if (negated) line = line.slice(1);
		const directoryOnly = line.endsWith('/');
		if (directoryOnly) line = line.slice(0, -1);
		const nameOnly = !line.includes('/');
		const pattern = line.replace(/^\//, '');
		if (line !== '') {
			rules.push({
				pattern: wildmatch(pattern),
				nameOnly,
				directoryOnly,
				negated,
				text: written,
				line: index + 1,
				source
			});
		}
	}
	return rules;
}

/** Directory names that a `.gitignore` text excludes at any depth, so that a walk can skip them. */
export function plainDirectoryNames(text: string): string[] {
	if (/^!/m.test(text)) return [];
	return text.split(/\r?\n/).flatMap((line) => /^([\w.@-]+)\/?\s*$/.exec(line)?.[1] ?? []);
}
