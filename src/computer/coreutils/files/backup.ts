import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { Options } from '../options.ts';

/** Form of a backup of an overwritten file: `~`, or the word of `--backup`. */
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

/** Backup that `-b`, `--backup` and `-S` ask for; null when none. */
export function backupOf(options: Options): Backup | null {
	if (!options.has('b', 'backup', 'S')) return null;
	const numbering = NUMBERING[options.get('backup') || 'existing'];
	return numbering ? { suffix: options.get('S') ?? '~', numbering } : null;
}

/** Renames a file out of the way. Returns what its name got at its end. */
export function backUp(sync: SyncSyscalls, path: string, { suffix, numbering }: Backup): string {
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
	const end = numbering === 'always' || last > 0 ? `.~${last + 1}~` : suffix;
	sync.rename(path, path + end);
	return end;
}
