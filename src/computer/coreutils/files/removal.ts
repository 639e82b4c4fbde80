import { isSpecialKind } from '#computer/abi/special-files.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { isAffirmed } from '../question.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { joined, lastName } from './target.ts';

/** Options of a removal, resolved. */
export interface RemovalManner {
	recursive: boolean;
	/** Empty directories are removed even without {@link recursive}. */
	emptyDirectories: boolean;
	verbose: boolean;
	/** Prompts for every entry. */
	asks: boolean;
	/** Does not prompt for write-protected files. */
	forces: boolean;
	/** A missing operand is not an error. */
	ignoresMissing: boolean;
	/** Refuses to remove `/`. */
	keepsRoot: boolean;
	/** Standard input counts as a terminal. */
	hasTerminal: boolean;
}

/** Removes files and trees, entry by entry if the user is prompted or sees each name. */
export class Removal {
	status = 0;

	#complaints = 0;

	constructor(
		private readonly call: Call,
		private readonly manner: RemovalManner
	) {}

	get #sync() {
		return this.call.shell.host.context.sync;
	}

	async #complain(text: string): Promise<false> {
		this.#complaints++;
		await this.call.complain(text);
		this.status = 1;
		return false;
	}

	async removeOperand(operand: string): Promise<void> {
		const name = operand.replace(/\/+$/, '/');
		const isRecursive = this.manner.recursive;
		if (isRecursive && /^\.{1,2}$/.test(lastName(name))) {
			await this.#complain(`refusing to remove '.' or '..' directory: skipping ${quoted(name)}`);
			return;
		}
		const path = this.call.shell.path(name);
		if (isRecursive && path === '/' && name !== '' && this.manner.keepsRoot) {
			const alias = /^\/$/.test(name) ? '' : " (same as '/')";
			await this.#complain(`it is dangerous to operate recursively on ${quoted(name)}${alias}`);
			await this.#complain('use --no-preserve-root to override this failsafe');
			return;
		}
		let stat: WireStat;
		try {
			if (name === '') throw Object.assign(new Error(), { code: 'ENOENT' });
			stat = this.#sync.lstat(path);
			if (name.endsWith('/') && stat.kind !== 'directory') throw Object.assign(new Error(), { code: 'ENOTDIR' });
		} catch (error) {
			const isMissing = /^(?:No such file|Not a directory)/.test(reason(error));
			if (!isMissing || !this.manner.ignoresMissing)
				await this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
			return;
		}
		await this.#remove(name, path, stat);
	}

	/** Returns whether it was removed. */
	async #remove(name: string, path: string, stat: WireStat): Promise<boolean> {
		if (stat.kind === 'directory') return this.#removeDirectory(name, path, stat);
		if (!(await this.#mayRemove(`remove ${this.#protection(stat)}${kindOf(stat)} ${quoted(name)}? `, stat)))
			return false;
		try {
			this.#sync.unlink(path);
		} catch (error) {
			return this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
		}
		if (this.manner.verbose) await this.call.out(`removed ${quoted(name)}\n`);
		return true;
	}

	async #removeEntry(name: string, path: string): Promise<void> {
		let stat: WireStat;
		try {
			stat = this.#sync.lstat(path);
		} catch (error) {
			await this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
			return;
		}
		await this.#remove(name, path, stat);
	}

	async #removeDirectory(name: string, path: string, stat: WireStat): Promise<boolean> {
		const isRecursive = this.manner.recursive;
		let entries: WireDirent[];
		try {
			entries = this.#sync.readdir(path);
		} catch (error) {
			// A directory that cannot be listed can still be removed if it is empty.
			const mayBeEmpty = isRecursive || this.manner.emptyDirectories;
			if (mayBeEmpty && (await this.#hasRemovedEmpty(name, path))) return true;
			return this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
		}
		if (!isRecursive && !(this.manner.emptyDirectories && entries.length === 0)) {
			const why = this.manner.emptyDirectories ? 'Directory not empty' : 'Is a directory';
			return this.#complain(`cannot remove ${quoted(name)}: ${why}`);
		}
		if (isRecursive && !this.manner.asks && !this.manner.verbose && this.#hasRemovedTree(path)) return true;
		const protection = this.#protection(stat);
		if (entries.length > 0) {
			if (!(await this.#mayRemove(`descend into ${protection}directory ${quoted(name)}? `, stat))) return false;
			const complaints = this.#complaints;
			for (const entry of entries) {
				const inner = joined(path, entry.name);
				await this.#removeEntry(joined(name, entry.name), inner);
			}
			// Entries that could not be removed were reported.
			if (this.#complaints > complaints) return false;
		}
		if (!(await this.#mayRemove(`remove ${protection}directory ${quoted(name)}? `, stat))) return false;
		try {
			this.#sync.rmdir(path);
		} catch (error) {
			return this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
		}
		if (this.manner.verbose) await this.call.out(`removed directory ${quoted(name)}\n`);
		return true;
	}

	async #hasRemovedEmpty(name: string, path: string): Promise<boolean> {
		try {
			this.#sync.rmdir(path);
		} catch {
			// The caller reports why it cannot be listed, which is more useful.
			return false;
		}
		if (this.manner.verbose) await this.call.out(`removed directory ${quoted(name)}\n`);
		return true;
	}

	/** Removes a tree in one step. False, and nothing is removed, if that is not permitted for the whole tree. */
	#hasRemovedTree(path: string): boolean {
		try {
			this.#sync.remove(path, { recursive: true });
			return true;
		} catch {
			// Removing entry by entry removes what is possible and reports the rest.
			return false;
		}
	}

	#protection({ mode, kind }: WireStat): string {
		return kind !== 'symlink' && (mode & 0o200) === 0 ? 'write-protected ' : '';
	}

	/** Prompts if `-i` is given, and for a write-protected file at a terminal. */
	async #mayRemove(question: string, stat: WireStat): Promise<boolean> {
		const isProtected = this.#protection(stat) !== '' && !this.manner.forces && this.#hasTerminal();
		return !(this.manner.asks || isProtected) || isAffirmed(this.call, question);
	}

	#hasTerminal(): boolean {
		const kernel = this.call.shell.descriptors.get(0)?.kernel;
		return this.manner.hasTerminal || (kernel !== undefined && this.#sync.isTerminal(kernel));
	}
}

function kindOf({ kind, size }: WireStat): string {
	if (kind === 'symlink') return 'symbolic link';
	if (isSpecialKind(kind)) return kind;
	return size === 0 ? 'regular empty file' : 'regular file';
}
