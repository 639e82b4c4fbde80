import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import type { StoredChange } from './storage/messages.ts';
import { Mode } from '#environment/mode.ts';

/** Not stored: these folders are lost with the computer, as on a real one. */
const VOLATILE = /^\/(tmp|usr|proc|dev)(\/|$)/;

/**
 * Converts journal entries into stored changes. A path moved out of an unstored folder is read from its
 * destination, since its writes were not stored; this happens later, when it may have been moved again.
 */
export class StoredChanges {
	/** Destinations missing from the store: the path had already been moved again when its contents were read. */
	readonly #missed = new Set<string>();

	constructor(private readonly environment: ExecutionEnvironment) {}

	/** Returns nothing for changes that are not stored. Must be called in the journal's order, one at a time. */
	async of(change: FileChange): Promise<StoredChange[]> {
		const { path } = change;
		if (VOLATILE.test(path)) {
			if (change.kind !== 'rename' || !change.to || VOLATILE.test(change.to)) return [];
			return this.#arrived(change.to);
		}
		switch (change.kind) {
			case 'write':
			case 'symlink':
				this.#missed.delete(path);
				return [{ kind: 'write', path, mode: change.mode, bytes: change.bytes ?? new Uint8Array() }];
			case 'mkdir':
				this.#missed.delete(path);
				return [{ kind: 'mkdir', path }];
			case 'mode':
				return [{ kind: 'mode', path, mode: change.mode }];
			case 'remove':
				return [{ kind: 'remove', path }];
			case 'rename':
				if (!change.to || VOLATILE.test(change.to)) return [{ kind: 'remove', path }];
				return [{ kind: 'rename', path, to: change.to }, ...(await this.#movedOn(path, change.to))];
		}
	}

	async #arrived(path: string): Promise<StoredChange[]> {
		const found = await readTree(path, this.environment);
		if (found.length === 0) this.#missed.add(path);
		else this.#missed.delete(path);
		return found;
	}

	/** Reads the contents of moved paths that the store has missed so far. */
	async #movedOn(from: string, to: string): Promise<StoredChange[]> {
		const found: StoredChange[] = [];
		for (const missed of [...this.#missed]) {
			if (missed !== from && !missed.startsWith(`${from}/`)) continue;
			this.#missed.delete(missed);
			found.push(...(await this.#arrived(to + missed.slice(from.length))));
		}
		return found;
	}
}

const FILE = 0o100000;

/**
 * Everything at and below a path, as writes. Empty if it has been removed since: then the journal contains its
 * removal too.
 */
export async function readTree(path: string, environment: ExecutionEnvironment): Promise<StoredChange[]> {
	if (!(await environment.fileExists(path))) return [];
	const top = await environment.stat(path);
	const below = top.kind === 'directory' ? await environment.listDirectory(path, Number.MAX_SAFE_INTEGER) : [];
	const all = [{ path, ...top }, ...below.map((entry) => ({ ...entry, path: `${path}/${entry.path}` }))];
	return Promise.all(
		all.map(async (entry): Promise<StoredChange> => {
			if (entry.kind === 'directory') return { kind: 'mkdir', path: entry.path };
			if (entry.kind === 'symlink') {
				const bytes = new TextEncoder().encode(await environment.readLink(entry.path));
				return { kind: 'write', path: entry.path, mode: Mode.symlink, bytes };
			}
			const bytes = await environment.readBytes(entry.path);
			return { kind: 'write', path: entry.path, mode: FILE | (entry.mode & 0o777), bytes };
		})
	);
}
