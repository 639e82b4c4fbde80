import { isSyscallError } from '#computer/abi/client.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { isAffirmed } from '../question.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { backUp, backupName, backupOf } from './backup.ts';
import type { CopyManner } from './copy-options.ts';
import { CopyTree } from './copy-tree.ts';
import { modeText } from './modes.ts';
import { Removal, type RemovalManner } from './removal.ts';
import { compareFiles, lstatOrNull } from './same-file.ts';
import { joined, lastName, placesOf, type Place } from './target.ts';

const SPECIFICATION =
	'f|force i|interactive n|no-clobber u|update v|verbose t|target-directory= T|no-target-directory ' +
	'b backup=? S|suffix= strip-trailing-slashes Z|context';

/** Options for a copy that preserves everything. */
const COPY: CopyManner = {
	recursive: true,
	follows: 'never',
	preserves: new Set(['mode', 'timestamps', 'links']),
	overwrites: 'always',
	moves: true,
	...{ links: null, backup: null },
	...{ ignoresMode: false, attributesOnly: false, readsPipes: false, force: false, removesFirst: false },
	...{ updates: false, verbose: false, staysOnDevice: false, clones: false }
};
const REMOVAL: RemovalManner = {
	...{ recursive: true, emptyDirectories: true, forces: true, ignoresMissing: true, keepsRoot: true },
	...{ verbose: false, asks: false, hasTerminal: false }
};
/** An error that was already reported. */
const FAILED = '';

/** `mv`. */
export const mv = utility(SPECIFICATION, async (call, options) => {
	const backup = backupOf(call, options);
	if (backup && options.last('f', 'i', 'n') === 'n')
		throw new UsageError('options --backup and --no-clobber are mutually exclusive', true);
	const operands = options.has('strip-trailing-slashes')
		? options.operands.map((name) => name.replace(/(.)\/+$/, '$1'))
		: options.operands;
	const places = placesOf(call, options, operands, { followsLink: true });
	if (typeof places === 'string') {
		await call.complain(places);
		return 1;
	}
	const moves = new Moves(call, options);
	let status = 0;
	for (const place of places) {
		const problem = await moves.move(place);
		if (problem === null) continue;
		if (problem !== FAILED) await call.complain(problem);
		status = 1;
	}
	return status;
});

/** The moves of one command line. */
class Moves {
	/** Destinations created, and sources named, so far. */
	readonly #created = new Set<string>();
	readonly #sources = new Set<string>();

	/** Copies moves to other file systems; hard links stay hard links there. */
	readonly #copies: CopyTree;
	readonly #removal: Removal;

	constructor(
		private readonly call: Call,
		private readonly options: Options
	) {
		const verbose = options.has('v');
		this.#copies = new CopyTree(call, { ...COPY, verbose });
		this.#removal = new Removal(call, { ...REMOVAL, verbose });
	}

	/** Moves one file or directory. Returns the error, or null. */
	async move({ from, to }: Place): Promise<string | null> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const [source, destination] = [shell.path(from), shell.path(to)];
		let stat: WireStat;
		try {
			stat = from.endsWith('/') ? sync.stat(source) : sync.lstat(source);
			if (from.endsWith('/') && stat.kind !== 'directory') return `cannot stat ${quoted(from)}: Not a directory`;
			if (from.endsWith('/') && sync.lstat(source).kind === 'symlink')
				return `cannot move ${quoted(from)} to ${quoted(to)}: Not a directory`;
		} catch (error) {
			return `cannot stat ${quoted(from)}: ${reason(error)}`;
		}
		if (await this.#isRepeated(from, source, stat)) return null;
		const there = lstatOrNull(sync, destination);
		if (there) {
			const verdict = await this.#mayReplace({ from, to }, stat, there);
			if (verdict !== 'yes') return verdict;
		} else if (to.endsWith('/') && stat.kind !== 'directory')
			return `cannot move ${quoted(from)} to ${quoted(to)}: Not a directory`;
		return this.#rename({ from, to }, there !== null);
	}

	async #isRepeated(from: string, path: string, { kind }: WireStat): Promise<boolean> {
		const isRepeated = this.#sources.has(path) && !backupOf(this.call, this.options);
		this.#sources.add(path);
		if (isRepeated)
			await this.call.complain(
				`warning: source ${kind === 'directory' ? 'directory' : 'file'} ${quoted(from)} specified more than once`
			);
		return isRepeated;
	}

	/** Decides about an existing file: `yes`, null to leave everything unchanged, or an error message. */
	async #mayReplace({ from, to }: Place, stat: WireStat, there: WireStat): Promise<string | null> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const [source, destination] = [shell.path(from), shell.path(to)];
		const backup = backupOf(this.call, this.options);
		const verdict = compareFiles(
			sync,
			{ path: source, stat, link: stat },
			{ path: destination, stat: there, link: there },
			{
				moves: true,
				keepsLinks: true,
				hardLinks: false,
				symbolicLinks: false,
				backsUp: backup !== null,
				removesFirst: false
			}
		);
		if (verdict === 'same') {
			const isInside = stat.kind === 'directory' && source === destination && lastName(from) === lastName(to);
			return isInside && joined(to, '') !== joined(from, '')
				? `cannot move ${quoted(from)} to a subdirectory of itself, ${quoted(to)}`
				: `${quoted(from)} and ${quoted(to)} are the same file`;
		}
		if (this.options.has('u') && stat.kind !== 'directory' && there.modifiedMs >= stat.modifiedMs) return null;
		if (!(await this.#isAllowed(to, there))) return null;
		if (there.kind !== 'directory') {
			if (stat.kind === 'directory' && !backup)
				return `cannot overwrite non-directory ${quoted(to)} with directory ${quoted(from)}`;
			if (backup?.numbering !== 'always' && this.#created.has(destination))
				return `will not overwrite just-created ${quoted(to)} with ${quoted(from)}`;
		} else if (stat.kind !== 'directory' && !backup)
			return `cannot overwrite directory ${quoted(to)} with non-directory`;
		if (!backup || backup.numbering === 'always') return 'yes';
		const name = destination + backupName(sync, destination, backup);
		return lstatOrNull(sync, name)?.inode === stat.inode
			? `backing up ${quoted(to)} might destroy source;  ${quoted(from)} not moved`
			: 'yes';
	}

	async #isAllowed(to: string, there: WireStat): Promise<boolean> {
		const last = this.options.last('f', 'i', 'n');
		const isWritable = there.kind === 'symlink' || (there.mode & 0o200) !== 0;
		const kernel = this.call.shell.descriptors.get(0)?.kernel;
		const isSeen = kernel !== undefined && this.call.shell.host.context.sync.isTerminal(kernel);
		if (last === 'n') return false;
		if (last !== 'i' && (last === 'f' || isWritable || !isSeen)) return true;
		const mode = `${(there.mode & 0o7777).toString(8).padStart(4, '0')} (${modeText(there).slice(1)})`;
		return isAffirmed(
			this.call,
			isWritable ? `overwrite ${quoted(to)}? ` : `replace ${quoted(to)}, overriding mode ${mode}? `
		);
	}

	async #rename({ from, to }: Place, isThere: boolean): Promise<string | null> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const [source, destination] = [shell.path(from), shell.path(to)];
		if (sync.lstat(source).kind === 'directory' && `${destination}/`.startsWith(`${source}/`))
			return `cannot move ${quoted(from)} to a subdirectory of itself, ${quoted(to)}`;
		const backup = isThere ? backupOf(this.call, this.options) : null;
		try {
			const kept = backup ? backUp(sync, destination, backup) : null;
			sync.rename(source, destination);
			this.#created.add(destination);
			if (this.options.has('v')) {
				const note = kept === null ? '' : ` (backup: ${quoted(to + kept)})`;
				await this.call.out(`renamed ${quoted(from)} -> ${quoted(to)}${note}\n`);
			}
			return null;
		} catch (error) {
			if (isSyscallError(error) && error.code === 'EXDEV') return this.#moveToOtherDevice({ from, to });
			return `cannot move ${quoted(from)} to ${quoted(to)}: ${reason(error)}`;
		}
	}

	/** Copies to another file system and removes the source. Returns an error that is not reported yet, or null. */
	async #moveToOtherDevice({ from, to }: Place): Promise<string | null> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const [source, destination] = [shell.path(from), shell.path(to)];
		try {
			if (lstatOrNull(sync, destination)) {
				if (sync.lstat(source).kind === 'directory') sync.rmdir(destination);
				else sync.unlink(destination);
			}
		} catch (error) {
			const places = `${quoted(from)} to ${quoted(to)}`;
			return `inter-device move failed: ${places}; unable to remove target: ${reason(error)}`;
		}
		const name = from.replace(/(.)\/+$/, '$1');
		if ((await this.#copies.copy(name, to)) !== 0) return FAILED;
		this.#created.add(destination);
		await this.#removal.removeOperand(name);
		return this.#removal.status === 0 ? null : FAILED;
	}
}
