import type { Call } from '#computer/shell/state/host.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { UsageError, type Options } from '../options.ts';
import { lstatOrNull } from './same-file.ts';

/** Form of the backup of an overwritten file: a suffix such as `~`, or numbers, by the argument of `--backup`. */
export type Backup = { suffix: string; numbering: 'never' | 'always' | 'existing' };

const NUMBERING: Record<string, Backup['numbering'] | null> = {
	none: null,
	off: null,
	numbered: 'always',
	t: 'always',
	existing: 'existing',
	nil: 'existing',
	simple: 'never',
	never: 'never'
};

/** Backup requested by `-b`, `--backup` and `-S`; null if none. @throws UsageError */
export function backupOf({ shell }: Call, options: Options): Backup | null {
	if (!options.has('b', 'backup', 'S')) return null;
	const word = options.get('backup') || shell.variables.exported('VERSION_CONTROL') || 'existing';
	const matching = Object.keys(NUMBERING).filter((name) => name.startsWith(word));
	const numbering = NUMBERING[word] ?? (matching.length === 1 ? NUMBERING[matching[0] ?? ''] : undefined);
	if (numbering === undefined && !(word in NUMBERING))
		throw new UsageError(
			`${matching.length ? 'ambiguous' : 'invalid'} argument '${word}' for 'backup type'\n${VALID}`,
			true
		);
	const suffix = options.get('S') ?? shell.variables.exported('SIMPLE_BACKUP_SUFFIX') ?? '~';
	return numbering ? { suffix: suffix === '' || suffix.includes('/') ? '~' : suffix, numbering } : null;
}

const VALID =
	"Valid arguments are:\n  - 'none', 'off'\n  - 'simple', 'never'\n  - 'existing', 'nil'\n  - 'numbered', 't'";

/** Suffix that a file's name gets as a backup. */
export function backupName(sync: SyncSyscalls, path: string, { suffix, numbering }: Backup): string {
	const at = path.lastIndexOf('/');
	const start = `${path.slice(at + 1)}.~`;
	const numbers =
		numbering === 'never'
			? []
			: sync
					.readdir(path.slice(0, at) || '/')
					.filter(({ name }) => name.startsWith(start))
					.map(({ name }) => Number(/^(\d+)~$/.exec(name.slice(start.length))?.[1] ?? 0));
	const last = Math.max(0, ...numbers);
	return numbering === 'always' || last > 0 ? `.~${last + 1}~` : suffix;
}

/** Renames a file to its backup name. Returns the suffix. */
export function backUp(sync: SyncSyscalls, path: string, backup: Backup): string {
	const end = backupName(sync, path, backup);
	sync.rename(path, path + end);
	// Renaming to another hard link of the same file does nothing.
	if (lstatOrNull(sync, path)) sync.unlink(path);
	return end;
}
