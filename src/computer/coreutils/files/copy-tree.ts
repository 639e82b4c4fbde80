import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { readWhole } from '../input/whole-file.ts';
import { isAffirmed } from '../question.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { backUp, backupName } from './backup.ts';
import type { CopyManner } from './copy-options.ts';
import { modeText } from './modes.ts';
import { compareFiles, lstatOrNull } from './same-file.ts';
import { joined, lastName } from './target.ts';

/** A copy was refused; the message is complete. */
class Refusal extends Error {}

/** Copies files and trees like GNU's `cp`, one operand after the other. */
export class CopyTree {
	/** Copy of each inode: hard links stay hard links. */
	readonly #copied = new Map<number, string>();
	/** Sources and destinations of this command line, by inode. */
	readonly #sources = new Map<number, string>();
	readonly #created = new Set<string>();
	/** Directories being copied, outermost first. */
	#ancestors: number[] = [];
	/** The current operand, the first directory created for it, and the device of its source. */
	#operand = { from: '', to: '', created: null as number | null, device: null as number | null };
	#failed = false;

	constructor(
		private readonly call: Call,
		private readonly manner: CopyManner
	) {}

	/** Copies one operand. Errors are reported; returns the status. */
	async copy(from: string, to: string): Promise<number> {
		this.#failed = false;
		this.#operand = { from, to, created: null, device: null };
		await this.#attempt(from, to, true);
		return this.#failed ? 1 : 0;
	}

	async #attempt(from: string, to: string, isOperand: boolean): Promise<void> {
		try {
			await this.#copyOne(from, to, isOperand);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			await this.#complain(error.message);
		}
	}

	async #complain(text: string): Promise<void> {
		await this.call.complain(text);
		this.#failed = true;
	}

	get #sync() {
		return this.call.shell.host.context.sync;
	}

	#path(name: string): string {
		return this.call.shell.path(name);
	}

	/** `stat` or `lstat` of a source. @throws Refusal */
	#source(from: string, isOperand: boolean): WireStat {
		const { follows } = this.manner;
		const isFollowed = follows === 'always' || (follows === 'arguments' && isOperand) || from.endsWith('/');
		try {
			const stat = isFollowed ? this.#sync.stat(this.#path(from)) : this.#sync.lstat(this.#path(from));
			if (from.endsWith('/') && stat.kind !== 'directory')
				throw new Refusal(`cannot stat ${quoted(from)}: Not a directory`);
			return stat;
		} catch (error) {
			if (error instanceof Refusal) throw error;
			throw new Refusal(`cannot stat ${quoted(from)}: ${reason(error)}`);
		}
	}

	async #copyOne(from: string, to: string, isOperand: boolean): Promise<void> {
		const stat = this.#source(from, isOperand);
		if (stat.kind === 'directory' && !this.manner.recursive)
			throw new Refusal(`-r not specified; omitting directory ${quoted(from)}`);
		if (isOperand && !this.manner.moves && (await this.#isRepeated(from, stat))) return;
		const found = await this.#prepareDestination(from, to, stat, isOperand);
		if (found === 'done') return;
		if (isOperand) this.#created.add(this.#path(to));
		if (await this.#linkToEarlier(stat, from, to, found.isNew)) return;
		if (stat.kind === 'directory') return this.#copyDirectory(from, to, stat, found.isNew);
		if (this.manner.verbose) await this.#announce(from, to, found.backup);
		await this.#make(from, to, stat);
	}

	async #isRepeated(from: string, stat: WireStat): Promise<boolean> {
		const before = this.#sources.get(stat.inode);
		this.#sources.set(stat.inode, lastName(from));
		if (before !== lastName(from) || this.manner.backup) return false;
		const kind = stat.kind === 'directory' ? 'directory' : 'file';
		await this.call.complain(`warning: source ${kind} ${quoted(from)} specified more than once`);
		return true;
	}

	/** Decides what happens to an existing file, and moves it out of the way. */
	async #prepareDestination(
		from: string,
		to: string,
		stat: WireStat,
		isOperand: boolean
	): Promise<'done' | { isNew: boolean; backup: string | null }> {
		const { manner } = this;
		const [source, destination] = [this.#path(from), this.#path(to)];
		const link = lstatOrNull(this.#sync, destination);
		const looksAtLink = stat.kind !== 'file' || manner.links || manner.backup || manner.removesFirst;
		const there = link && (looksAtLink ? link : this.#followed(to, destination));
		if (isOperand && !looksAtLink && link?.kind === 'symlink' && this.#created.has(destination))
			throw new Refusal(`will not copy ${quoted(from)} through just-created symlink ${quoted(to)}`);
		if (to.endsWith('/') && stat.kind !== 'directory' && link?.kind !== 'directory' && !this.#isDirectory(destination))
			throw new Refusal(`cannot create regular file ${quoted(to)}: Not a directory`);
		if (!link || !there) return { isNew: true, backup: null };
		const sides = [
			{ path: source, stat, link: lstatOrNull(this.#sync, source) ?? stat },
			{ path: destination, stat: there, link }
		] as const;
		const verdict = compareFiles(this.#sync, ...sides, {
			moves: false,
			keepsLinks: manner.follows === 'never',
			hardLinks: manner.links === 'hard',
			symbolicLinks: manner.links === 'symbolic',
			backsUp: manner.backup !== null,
			removesFirst: manner.removesFirst
		});
		if (verdict === 'same') throw new Refusal(`${quoted(from)} and ${quoted(to)} are the same file`);
		if (stat.kind !== 'directory') {
			if (manner.updates && there.modifiedMs >= stat.modifiedMs) {
				await this.#linkToEarlier(stat, from, to, false);
				return 'done';
			}
			if (manner.overwrites === 'never' || (manner.overwrites === 'asks' && !(await this.#mayOverwrite(to, there))))
				return 'done';
		}
		if (verdict === 'done') return 'done';
		this.#refuseKinds(from, to, stat, there, isOperand);
		return this.#makeRoom(from, to, stat, there);
	}

	/** @throws Refusal if it cannot be determined whether the destination exists */
	#followed(to: string, destination: string): WireStat | null {
		try {
			return this.#sync.stat(destination);
		} catch (error) {
			const why = reason(error);
			if (why === 'Permission denied') throw new Refusal(`cannot stat ${quoted(to)}: ${why}`);
			return null;
		}
	}

	#isDirectory(path: string): boolean {
		return this.#sync.statOrNull(path)?.kind === 'directory';
	}

	/** @throws Refusal if a file would replace a directory, or vice versa */
	#refuseKinds(from: string, to: string, stat: WireStat, there: WireStat, isOperand: boolean): void {
		if (there.kind !== 'directory') {
			if (stat.kind === 'directory')
				throw new Refusal(`cannot overwrite non-directory ${quoted(to)} with directory ${quoted(from)}`);
			if (isOperand && this.manner.backup?.numbering !== 'always' && this.#created.has(this.#path(to)))
				throw new Refusal(`will not overwrite just-created ${quoted(to)} with ${quoted(from)}`);
		} else if (stat.kind !== 'directory')
			throw new Refusal(`cannot overwrite directory ${quoted(to)} with non-directory`);
	}

	/** Renames or removes an existing destination. */
	async #makeRoom(from: string, to: string, stat: WireStat, there: WireStat) {
		const { backup, preserves, removesFirst, links, follows, attributesOnly } = this.manner;
		const destination = this.#path(to);
		if (backup && there.kind !== 'directory') {
			const name = destination + backupName(this.#sync, destination, backup);
			if (backup.numbering !== 'always' && this.#sync.statOrNull(name)?.inode === stat.inode)
				throw new Refusal(`backing up ${quoted(to)} might destroy source;  ${quoted(from)} not copied`);
			return { isNew: true, backup: to + backUp(this.#sync, destination, backup) };
		}
		const isReplaced =
			removesFirst ||
			(!attributesOnly &&
				links === null &&
				((follows === 'never' && stat.kind !== 'file') || (preserves.has('links') && there.links > 1)));
		if (there.kind === 'directory' || stat.kind === 'directory' || !isReplaced) return { isNew: false, backup: null };
		this.#sync.unlink(destination);
		if (this.manner.verbose) await this.call.out(`removed ${quoted(to)}\n`);
		return { isNew: true, backup: null };
	}

	async #mayOverwrite(to: string, there: WireStat): Promise<boolean> {
		const isWritable = (there.mode & 0o222) !== 0;
		const mode = `${(there.mode & 0o7777).toString(8).padStart(4, '0')} (${modeText(there).slice(1)})`;
		return isAffirmed(
			this.call,
			isWritable
				? `overwrite ${quoted(to)}? `
				: this.manner.force || this.manner.removesFirst
					? `replace ${quoted(to)}, overriding mode ${mode}? `
					: `unwritable ${quoted(to)} (mode ${mode}); try anyway? `
		);
	}

	/** Creates a hard link to an earlier copy of the same file, if hard links are preserved. */
	async #linkToEarlier(stat: WireStat, from: string, to: string, isNew: boolean): Promise<boolean> {
		const { preserves, follows, links } = this.manner;
		if (!preserves.has('links') || stat.kind === 'directory' || links !== null) return false;
		const earlier = this.#copied.get(stat.inode);
		// A file with a single link may appear twice if links are followed; a moved file has lost its other link.
		if (stat.links < 2 && follows === 'never' && (!this.manner.moves || earlier === undefined)) return false;
		if (earlier === undefined) {
			this.#copied.set(stat.inode, to);
			return false;
		}
		try {
			if (!isNew) this.#sync.unlink(this.#path(to));
			this.#sync.link(this.#path(earlier), this.#path(to));
		} catch (error) {
			throw new Refusal(`cannot create hard link ${quoted(to)} to ${quoted(earlier)}: ${reason(error)}`);
		}
		if (this.manner.verbose) await this.#announce(from, to, null);
		return true;
	}

	async #announce(from: string, to: string, backup: string | null): Promise<void> {
		const done = this.manner.moves ? 'copied ' : '';
		await this.call.out(
			`${done}${quoted(from)} -> ${quoted(to)}${backup === null ? '' : ` (backup: ${quoted(backup)})`}\n`
		);
	}

	async #copyDirectory(from: string, to: string, stat: WireStat, isNew: boolean): Promise<void> {
		const [source, destination] = [this.#path(from), this.#path(to)];
		if (this.#ancestors.includes(stat.inode)) throw new Refusal(`cannot copy cyclic symbolic link ${quoted(from)}`);
		if (isNew) {
			try {
				// Only the owner has access until the copy is complete.
				this.#sync.mkdir(destination, { mode: 0o700 });
			} catch (error) {
				throw new Refusal(`cannot create directory ${quoted(to)}: ${reason(error)}`);
			}
			if (this.manner.verbose && this.manner.moves) await this.call.out(`created directory ${quoted(to)}\n`);
			else if (this.manner.verbose) await this.#announce(from, to, null);
			this.#operand.created ??= this.#sync.stat(destination).inode;
		}
		this.#operand.device ??= stat.device;
		this.#ancestors.push(stat.inode);
		try {
			const isOutside = this.manner.staysOnDevice && stat.device !== this.#operand.device;
			for (const { name } of isOutside ? [] : this.#sync.readdir(source)) {
				const { from: top, to: topCopy, created } = this.#operand;
				if (created !== null && lstatOrNull(this.#sync, joined(source, name))?.inode === created)
					await this.#complain(`cannot copy a directory, ${quoted(top)}, into itself, ${quoted(topCopy)}`);
				else await this.#attempt(joined(from, name), joined(to, name), false);
			}
		} finally {
			this.#ancestors.pop();
		}
		if (isNew) this.#sync.chmod(destination, this.#modeOf(stat));
		if (isNew || this.manner.preserves.size > 0) this.#preserve(destination, stat);
	}

	#modeOf(stat: WireStat): number {
		const mode = this.manner.ignoresMode ? (stat.kind === 'directory' ? 0o777 : 0o666) : stat.mode & 0o777;
		return mode & ~this.call.shell.umask;
	}

	/** Creates the copy of a file or link. @throws Refusal */
	async #make(from: string, to: string, stat: WireStat): Promise<void> {
		const [source, destination] = [this.#path(from), this.#path(to)];
		const { links } = this.manner;
		if (links === 'symbolic') return this.#linkSymbolically(from, to);
		if (links === 'hard') {
			const target = stat.kind === 'symlink' ? source : this.#sync.realpath(source);
			return this.#replacing(destination, `cannot create hard link ${quoted(to)} to ${quoted(from)}`, () =>
				this.#sync.link(target, destination)
			);
		}
		if (stat.kind === 'symlink') {
			const target = this.#sync.readlink(source);
			this.#replacing(destination, `cannot create symbolic link ${quoted(to)}`, () =>
				this.#sync.symlink(target, destination)
			);
			return this.#preserve(destination, stat);
		}
		if (stat.kind === 'fifo' && !this.manner.readsPipes) {
			this.#replacing(destination, `cannot create fifo ${quoted(to)}`, () =>
				this.#sync.mkfifo(destination, this.#modeOf(stat))
			);
			return this.#preserve(destination, stat);
		}
		await this.#copyContents(from, to, stat);
	}

	#linkSymbolically(from: string, to: string): void {
		const destination = this.#path(to);
		const parent = this.#sync.statOrNull(destination.replace(/\/[^/]*$/, '') || '/');
		if (!from.startsWith('/') && parent?.inode !== this.#sync.stat(this.#path('.')).inode)
			throw new Refusal(`${to}: can make relative symbolic links only in current directory`);
		this.#replacing(destination, `cannot create symbolic link ${quoted(to)} to ${quoted(from)}`, () =>
			this.#sync.symlink(from, destination)
		);
	}

	/** Creates a link; with `-f` it replaces an existing file. */
	#replacing(destination: string, problem: string, make: () => void): void {
		try {
			if (this.manner.force && lstatOrNull(this.#sync, destination)) this.#sync.unlink(destination);
			make();
		} catch (error) {
			throw new Refusal(`${problem}: ${reason(error)}`);
		}
	}

	async #copyContents(from: string, to: string, stat: WireStat): Promise<void> {
		if ((stat.mode & 0o400) === 0) throw new Refusal(`cannot open ${quoted(from)} for reading: Permission denied`);
		const destination = this.#path(to);
		const link = lstatOrNull(this.#sync, destination);
		if (link?.kind === 'symlink' && !this.#sync.statOrNull(destination)) {
			if (this.manner.force && this.#isLoop(destination)) this.#sync.unlink(destination);
			else if (this.call.shell.variables.exported('POSIXLY_CORRECT') === undefined)
				throw new Refusal(`not writing through dangling symlink ${quoted(to)}`);
		}
		try {
			const isNew = !this.#sync.statOrNull(destination);
			if (this.manner.clones && !this.manner.attributesOnly) {
				this.#sync.writeFile(destination, new Uint8Array(), { mode: this.#modeOf(stat) });
				const isOther = this.#sync.stat(destination).device !== stat.device;
				const why = isOther ? 'Invalid cross-device link' : 'Operation not supported';
				throw new Refusal(`failed to clone ${quoted(to)} from ${quoted(from)}: ${why}`);
			}
			if (stat.kind === 'fifo' && !this.manner.attributesOnly) await this.#copyPipe(from, destination, stat, isNew);
			else if (!this.manner.attributesOnly)
				this.#sync.writeFile(destination, this.#sync.readFile(this.#path(from)), { mode: this.#modeOf(stat) });
			else if (isNew) this.#sync.writeFile(destination, new Uint8Array(), { mode: this.#modeOf(stat) });
		} catch (error) {
			if (error instanceof Refusal) throw error;
			throw new Refusal(`cannot create regular file ${quoted(to)}: ${reason(error)}`);
		}
		this.#preserve(destination, stat);
	}

	/** Reads a named pipe to its end. Only the owner has access until the copy is complete. */
	async #copyPipe(from: string, destination: string, stat: WireStat, isNew: boolean): Promise<void> {
		const mode = this.#modeOf(stat);
		if (isNew) this.#sync.writeFile(destination, new Uint8Array(), { mode: mode & 0o700 });
		this.#sync.writeFile(destination, await readWhole(this.call.shell, from));
		if (isNew) this.#sync.chmod(destination, mode);
	}

	#isLoop(path: string): boolean {
		try {
			this.#sync.stat(path);
			return false;
		} catch (error) {
			return error instanceof Error && 'code' in error && error.code === 'ELOOP';
		}
	}

	#preserve(path: string, stat: WireStat): void {
		if (this.manner.preserves.has('mode') && stat.kind !== 'symlink') this.#sync.chmod(path, stat.mode & 0o7777);
		if (this.manner.preserves.has('timestamps'))
			this.#sync.utimes(path, stat.accessedMs, stat.modifiedMs, stat.kind !== 'symlink');
	}
}
