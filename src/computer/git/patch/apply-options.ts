import { driversOf } from '../diff/compared-file.ts';
import { splitLines } from '../diff/lines.ts';
import { failure } from '../errors.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { PLAIN_HUNKS, type HunkRules } from './apply-hunks.ts';
import { blankAction, BlankErrors, type BlankAction } from './blank-errors.ts';
import { parsePatches, reversed, type FilePatch } from './file-patch.ts';

/** The options of `apply` that `am` also accepts. */
export const APPLY_OPTIONS = {
	strip: '-p =',
	directory: '--directory =',
	exclude: '--exclude =',
	include: '--include =',
	leastContext: '-C =',
	whitespace: '--whitespace =',
	ignoreSpace: '--ignore-whitespace --ignore-space-change',
	noIgnoreSpace: '--no-ignore-whitespace',
	reject: '--reject'
};

type ApplyOptions = Options<keyof typeof APPLY_OPTIONS>;

/** Options for reading and applying patches. */
export interface ApplyHow {
	hunks: HunkRules;
	blanks: BlankErrors;
	rejects: boolean;
	/** Parses the patches of a text that match the path filters. @param name of the text, for messages */
	read(content: Uint8Array, name: string): { patches: FilePatch[]; skipped: FilePatch[] };
}

/** Rules that only `apply` has, not `am`. */
export interface MoreRules {
	isReverse?: boolean;
	recounts?: boolean;
	hunks?: Partial<HunkRules>;
	/** Default for whitespace errors if neither options nor config set it. */
	usualAction?: BlankAction;
	/** Directory that paths are relative to, if it is not the current one. */
	prefix?: string;
}

/** Parses the options. @throws GitError if a value is invalid */
export function applyHow(
	repository: Repository,
	options: ApplyOptions,
	say: (text: string) => void,
	more: MoreRules = {}
): ApplyHow {
	const { config } = repository;
	const prefix = more.prefix ?? repository.prefix;
	const ignores = options.latest('ignoreSpace', 'noIgnoreSpace');
	const setting = config.get('apply.ignorewhitespace');
	if (setting !== undefined && !['no', 'none', 'false', 'never', 'change'].includes(setting))
		throw failure(`unrecognized whitespace ignore option '${setting}'`, 129);
	const action = options.get('whitespace') ?? config.get('apply.whitespace');
	const number = (text: string | undefined, name: string): number | null => {
		if (text === undefined) return null;
		if (!/^\d+$/.test(text)) throw failure(`switch \`${name}' expects a numerical value`, 129);
		return Number(text);
	};
	const strip = number(options.get('strip'), 'p');
	const blanks = new BlankErrors(
		action === undefined ? (more.usualAction ?? 'warn') : blankAction(action),
		(path) => driversOf(repository).whitespace(path),
		say
	);
	const directory = (options.get('directory') ?? '').replace(/\/*$/, '/').replace(/^\/$/, '');
	const isWanted = wantedPaths(options);
	return {
		hunks: {
			...PLAIN_HUNKS,
			ignoreSpace: ignores === undefined ? setting === 'change' : ignores === 'ignoreSpace',
			leastContext: number(options.get('leastContext'), 'C') ?? Infinity,
			...more.hunks
		},
		blanks,
		rejects: options.has('reject'),
		read(content, name) {
			const rules = { strip, prefix, recounts: more.recounts ?? false };
			const all = parsePatches(splitLines(content), rules)
				.map((patch) => (more.isReverse ? reversed(patch) : patch))
				.map((patch) => moved(patch, directory + (patch.isGit ? '' : prefix)));
			const patches = all.filter(({ newPath }) => newPath.startsWith(prefix) && isWanted(newPath));
			for (const patch of patches) blanks.check(patch, name);
			const skipped = all.filter((patch) => !patches.includes(patch));
			return { patches: more.isReverse ? patches.reverse() : patches, skipped };
		}
	};
}

/** Path filter from `--exclude` and `--include`: the first matching pattern decides. */
function wantedPaths(options: ApplyOptions): (path: string) => boolean {
	const rules = options
		.inOrder('exclude', 'include')
		.map(({ name, value }) => ({ pattern: wildmatch(value, true), isWanted: name === 'include' }));
	const otherwise = !options.has('include');
	return (path) => rules.find(({ pattern }) => pattern.test(path))?.isWanted ?? otherwise;
}

const moved = (patch: FilePatch, prefix: string): FilePatch => ({
	...patch,
	oldPath: prefix + patch.oldPath,
	newPath: prefix + patch.newPath
});
