import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, type Options } from '../options.ts';
import { backupOf, type Backup } from './backup.ts';

export const COPY_SPECIFICATION =
	'a|archive attributes-only b backup=? copy-contents d f|force H i|interactive l|link L|dereference n|no-clobber ' +
	'P|no-dereference p preserve=? no-preserve= parents R|r|recursive reflink=? remove-destination sparse= ' +
	'strip-trailing-slashes s|symbolic-link S|suffix= t|target-directory= T|no-target-directory u|update v|verbose ' +
	'x|one-file-system Z context=?';

const ATTRIBUTES = ['mode', 'timestamps', 'ownership', 'links', 'context', 'xattr', 'all'];
type Attribute = 'mode' | 'timestamps' | 'links';

/** Options of a copy, resolved. */
export interface CopyManner {
	recursive: boolean;
	/** Symbolic links that are followed. */
	follows: 'always' | 'arguments' | 'never';
	preserves: ReadonlySet<Attribute>;
	/** `--no-preserve=mode`: new files get the default mode, reduced by the umask. */
	ignoresMode: boolean;
	links: 'hard' | 'symbolic' | null;
	backup: Backup | null;
	attributesOnly: boolean;
	/** A named pipe in a tree is read to its end; otherwise the copy is a pipe too. */
	readsPipes: boolean;
	/** `-f`: a destination that cannot be written is removed first. */
	force: boolean;
	removesFirst: boolean;
	/** `-n`, or `-i`. */
	overwrites: 'always' | 'never' | 'asks';
	updates: boolean;
	verbose: boolean;
	/** A move to another file system: the source is removed afterwards. */
	moves: boolean;
	/** Directories on other file systems are created empty. */
	staysOnDevice: boolean;
	/** `--reflink=always`, which no file system here supports. */
	clones: boolean;
}

/** @throws UsageError */
export function copyManner(call: Call, options: Options): CopyManner {
	if (options.has('l') && options.has('s')) throw new UsageError('cannot make both hard and symbolic links', true);
	const overwrites = { n: 'never', i: 'asks' } as const;
	const asked = options.last('n', 'i') as 'n' | 'i' | undefined;
	const backup = backupOf(call, options);
	if (backup && asked === 'n') throw new UsageError('options --backup and --no-clobber are mutually exclusive', true);
	const clones = options.has('reflink') && (options.get('reflink') || 'always') === 'always';
	if (clones && (options.get('sparse') ?? 'auto') !== 'auto')
		throw new UsageError('--reflink can be used only with --sparse=auto', true);
	const recursive = options.has('R', 'a');
	const { preserves, ignoresMode } = preserved(options);
	return {
		recursive,
		follows: followed(options, recursive),
		preserves,
		ignoresMode,
		links: options.has('l') ? 'hard' : options.has('s') ? 'symbolic' : null,
		backup,
		attributesOnly: options.has('attributes-only'),
		readsPipes: !recursive || options.has('copy-contents'),
		force: options.has('f'),
		removesFirst: options.has('remove-destination'),
		overwrites: asked ? overwrites[asked] : 'always',
		updates: options.has('u'),
		verbose: options.has('v'),
		moves: false,
		staysOnDevice: options.has('x'),
		clones
	};
}

function followed(options: Options, recursive: boolean): CopyManner['follows'] {
	const last = options.last('L', 'P', 'H', 'd', 'a');
	if (last === 'L') return 'always';
	if (last === 'H') return 'arguments';
	if (last !== undefined || (recursive && !options.has('l'))) return 'never';
	return 'always';
}

function preserved(options: Options): Pick<CopyManner, 'preserves' | 'ignoresMode'> {
	const preserves = new Set<Attribute>();
	let ignoresMode = false;
	const apply = (option: string, text: string) => {
		for (const word of text.split(',')) {
			const found = ATTRIBUTES.filter((attribute) => attribute.startsWith(word));
			if (found.length !== 1) throw new UsageError(invalid(word, `--${option}`), true);
			const names = found[0] === 'all' ? (['mode', 'timestamps', 'links'] as const) : (found as Attribute[]);
			for (const name of names) {
				if (option === 'preserve') preserves.add(name);
				else preserves.delete(name);
				if (name === 'mode') ignoresMode = option === 'no-preserve';
			}
		}
	};
	const usual = 'mode,ownership,timestamps';
	for (const { name, value } of options.given) {
		if (name === 'a') apply('preserve', 'all');
		if (name === 'p') apply('preserve', usual);
		if (name === 'd') apply('preserve', 'links');
		if (name === 'preserve') apply('preserve', value || usual);
		if (name === 'no-preserve') apply('no-preserve', value);
	}
	return { preserves, ignoresMode };
}

const invalid = (word: string, option: string) =>
	`invalid argument '${word}' for '${option}'\nValid arguments are:\n${ATTRIBUTES.map((name) => `  - '${name}'`).join('\n')}`;
