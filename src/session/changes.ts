import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import type { StoredChange } from './storage/messages.ts';
import { Mode } from '#environment/mode.ts';

/** Not kept: what is there is gone with the computer, as on any other. */
const VOLATILE = /^\/(tmp|usr|proc|dev)(\/|$)/;

/**
 * Makes journal entries into what the store keeps. What is moved out of a folder that is not kept is read from where it
 * went, since its writes were not stored; and that a moment later, when it may have been moved on.
 */
export class StoredChanges {
	/** Where something went that the store does not have: it was gone from there when it was to be read. */
	readonly #missed = new Set<string>();

	constructor(private readonly environment: ExecutionEnvironment) {}

	/** Nothing for what is not kept. To be called in the journal's order, one after the other. */
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

	/** What the store lacks of a path that was moved. */
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

/** Everything at and below a path, as writes. Empty when it is gone again: then its removal is in the journal too. */
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
