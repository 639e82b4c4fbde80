import { decode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, type Options } from '../../options.ts';
import { type Matching, MatchingFlags, nameExpression, PLAIN } from './matching.ts';

/** Patterns that exclude names. Patterns without wildcards are looked up in a set: a list may have thousands. */
class Patterns {
	readonly #expressions: RegExp[] = [];
	readonly #anchored = new Set<string>();
	readonly #anywhere = new Set<string>();

	add(text: string, how: Matching): void {
		const isPlain = !how.ignoreCase && !(how.wildcards && /[\\*?[]/.test(text));
		if (isPlain) (how.anchored ? this.#anchored : this.#anywhere).add(text.replace(/(?<=.)\/+$/s, ''));
		else this.#expressions.push(nameExpression(text, how));
	}

	match(name: string): boolean {
		if (this.#expressions.some((one) => one.test(name))) return true;
		for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
			const upTo = name.slice(0, end);
			if (this.#anchored.has(upTo) || this.#anywhere.has(upTo)) return true;
			for (let slash = upTo.indexOf('/'); slash >= 0; slash = upTo.indexOf('/', slash + 1))
				if (this.#anywhere.has(upTo.slice(slash + 1))) return true;
		}
		return false;
	}
}

const BACKUPS = ['.#*', '*~', '#*#'];
const VERSION_CONTROL = [
	...['CVS', '.cvsignore', 'RCS', 'SCCS', '.svn', '.git', '.gitignore', '.gitattributes', '.gitmodules', '.arch-ids'],
	...['{arch}', '=RELEASE-ID', '=meta-update', '=update', '.bzr', '.bzrignore', '.bzrtags', '.hg', '.hgignore'],
	...['.hgrags', '_darcs']
];

/** A file whose presence excludes its directory, and how much of it. */
export interface Tag {
	name: string;
	leavesOut: 'contents' | 'under' | 'all';
	/** Text that the file must start with. */
	signature?: string;
}

const CACHE = { name: 'CACHEDIR.TAG', signature: 'Signature: 8a477f597d28d172789f06886806bc55' };

/** Names and directories that a command line excludes. */
export interface Exclusions {
	isExcluded(name: string): boolean;
	tags: Tag[];
	/** Names of files that contain patterns for their own directory, and whether these also apply below it. */
	ignoreFiles: { name: string; isRecursive: boolean }[];
}

/** Reads the exclusion options; pattern flags apply to the options after them. @throws UsageError */
export function exclusionsOf(call: Call, options: Options): Exclusions {
	const flags = new MatchingFlags();
	const patterns = new Patterns();
	const tags: Tag[] = [];
	const ignoreFiles: Exclusions['ignoreFiles'] = [];
	const add = (texts: readonly string[], how = flags.forExclusion()) => {
		for (const text of texts) patterns.add(text, how);
	};
	const anywhere = { ...PLAIN, wildcards: true, anchored: false };
	for (const { name, value } of options.given) {
		if (flags.take(name)) continue;
		if (name === 'exclude') add([value]);
		else if (name === 'X') add(linesOf(call, value));
		else if (name === 'exclude-backups') add(BACKUPS, anywhere);
		else if (name === 'exclude-vcs') add(VERSION_CONTROL, { ...anywhere, wildcards: false });
		else if (name === 'exclude-ignore' || name === 'exclude-ignore-recursive')
			ignoreFiles.push({ name: value, isRecursive: name !== 'exclude-ignore' });
		else if (/^exclude-(?:caches|tag)/.test(name)) {
			const leavesOut = name.endsWith('-all') ? 'all' : name.endsWith('-under') ? 'under' : 'contents';
			tags.push(name.startsWith('exclude-tag') ? { name: value, leavesOut } : { ...CACHE, leavesOut });
		}
	}
	return { tags, ignoreFiles, isExcluded: (name) => patterns.match(name.replace(/\/+$/, '')) };
}

function linesOf({ shell }: Call, name: string): string[] {
	try {
		return decode(shell.host.context.sync.readFile(shell.path(name)))
			.split('\n')
			.map((line) => line.trimEnd())
			.filter(Boolean);
	} catch (error) {
		throw new UsageError(`${name}: Cannot open: ${reason(error)}`);
	}
}
