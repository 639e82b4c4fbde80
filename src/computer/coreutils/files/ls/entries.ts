import type { WireStat } from '#computer/abi/syscalls.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { shellEscapedAlways } from '../../shell-escape.ts';
import type { Entry } from './entry.ts';
import type { Settings } from './settings.ts';

/** Stat of an entry of which only the kind is known. */
const KNOWN_BY_KIND = { size: 0, modifiedMs: 0, accessedMs: 0, changedMs: 0, device: 0, inode: 0, links: 1 };
/** Errors of stat that do not matter as long as only the name is shown. */
const UNSEEN = new Set(['Permission denied', 'Too many levels of symbolic links', 'No such file or directory']);
const MODES: Readonly<Record<WireStat['kind'], number>> = {
	file: 0o100644,
	directory: 0o40755,
	symlink: 0o120777,
	fifo: 0o10644,
	socket: 0o140755
};

/** Stats files for one call of `ls`; errors are reported and remembered. */
export class Entries {
	status = 0;
	#links: boolean;

	constructor(
		private readonly call: Call,
		private readonly settings: Settings
	) {
		this.#links = settings.format === 'long' || settings.colours?.needsTargets === true || settings.groupsDirectories;
	}

	/** Returns the entry of an operand; null if it does not exist. */
	operand(name: string): Entry | null {
		const { follows } = this.settings;
		const path = this.call.shell.path(name);
		try {
			const isLink = follows === 'none' && !name.endsWith('/');
			if (follows === 'directories' && !name.endsWith('/')) {
				const stat = this.#directoryOrNull(path) ?? this.#sync.lstat(path);
				return this.#complete({ name, path, stat });
			}
			return this.#complete({ name, path, stat: isLink ? this.#sync.lstat(path) : this.#sync.stat(path) });
		} catch (error) {
			this.#fail('cannot access', name, error, 2);
			return null;
		}
	}

	#directoryOrNull(path: string): WireStat | null {
		try {
			const stat = this.#sync.statOrNull(path);
			return stat?.kind === 'directory' ? stat : null;
		} catch {
			// A cycle of links.
			return null;
		}
	}

	/** Returns the entries of a directory, unsorted; null if it cannot be read. */
	inside(directory: Entry, isOperand: boolean): Entry[] | null {
		const { settings } = this;
		let names: string[];
		const kinds = new Map<string, WireStat['kind']>();
		try {
			for (const { name, kind } of this.#sync.readdir(directory.path)) kinds.set(name, kind);
			names = [...kinds.keys()];
		} catch (error) {
			this.#fail('cannot open directory', directory.name, error, isOperand ? 2 : 1);
			return null;
		}
		if (settings.hidden === 'all') names.unshift('.', '..');
		const prefix = directory.path.replace(/\/$/, '');
		const shown = names.filter(
			(name) => !(name.startsWith('.') && settings.hidden === 'left out') && !settings.isLeftOut(name)
		);
		return shown.map((name) => {
			const full = `${directory.name.replace(/\/$/, '')}/${name}`;
			return this.#entry(name, pathOf(prefix, name), full, kinds.get(name));
		});
	}

	/** @param kind kind from the directory listing, used if nothing more is shown */
	#entry(name: string, path: string, shown: string, kind: WireStat['kind'] | undefined): Entry {
		try {
			const stat = this.settings.follows === 'all' ? this.#sync.stat(path) : this.#sync.lstat(path);
			return this.#complete({ name, path, stat });
		} catch (error) {
			if (kind !== undefined && UNSEEN.has(reason(error)) && !this.#needsStat())
				return { name, path, stat: { ...KNOWN_BY_KIND, kind, mode: MODES[kind] } };
			this.#fail('cannot access', shown, error, 1);
			return { name, path, ...(kind === undefined ? {} : { kind }) };
		}
	}

	#needsStat(): boolean {
		const { format, hasInode, hasBlocks, hasContext, sort, marks, colours, isRecursive, follows } = this.settings;
		const isMarked = follows === 'all' && (marks !== 'none' || colours !== null || isRecursive || hasContext);
		return format === 'long' || hasInode || hasBlocks || isMarked || sort === 'time' || sort === 'size';
	}

	/** Adds the target of a link, if it is shown. */
	#complete(entry: Entry): Entry {
		if (entry.stat?.kind !== 'symlink' || !this.#links) return entry;
		return { ...entry, target: { name: this.#sync.readlink(entry.path), stat: this.#sync.statOrNull(entry.path) } };
	}

	get #sync() {
		return this.call.shell.host.context.sync;
	}

	#fail(what: string, name: string, error: unknown, status: number): void {
		this.status = Math.max(this.status, status);
		void this.call.complain(`${what} ${shellEscapedAlways(name)}: ${reason(error)}`);
	}

	/** Reports a directory that is its own ancestor. */
	reportLoop(name: string): void {
		this.status = 2;
		void this.call.complain(`${name}: not listing already-listed directory`);
	}
}

function pathOf(prefix: string, name: string): string {
	if (name === '.') return prefix || '/';
	if (name === '..') return prefix.replace(/\/[^/]*$/, '') || '/';
	return `${prefix}/${name}`;
}
