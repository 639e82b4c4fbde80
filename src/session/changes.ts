import type { ExecutionEnvironment, FileChange } from '../environment/contract.ts';
import type { StoredChange } from './storage/messages.ts';

/** Not kept: what is there is gone with the computer, as on any other. */
const VOLATILE = /^\/(tmp|usr|proc|dev)(\/|$)/;

/**
 * A journal entry as the store keeps it; nothing for what is not kept. What is moved out of a
 * folder that is not kept is read from where it went, since its writes were not stored.
 */
export async function toStoredChanges(change: FileChange, environment: ExecutionEnvironment): Promise<StoredChange[]> {
	if (VOLATILE.test(change.path)) {
		if (change.kind !== 'rename' || !change.to || VOLATILE.test(change.to)) return [];
		return readTree(change.to, environment);
	}
	switch (change.kind) {
		case 'write':
		case 'symlink':
			return [{ kind: 'write', path: change.path, mode: change.mode, bytes: change.bytes ?? new Uint8Array() }];
		case 'mkdir':
			return [{ kind: 'mkdir', path: change.path }];
		case 'mode':
			return [{ kind: 'mode', path: change.path, mode: change.mode }];
		case 'remove':
			return [{ kind: 'remove', path: change.path }];
		case 'rename':
			if (!change.to || VOLATILE.test(change.to)) return [{ kind: 'remove', path: change.path }];
			return [{ kind: 'rename', path: change.path, to: change.to }];
	}
}

const FILE = 0o100000;
const SYMLINK = 0o120000;

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
				return { kind: 'write', path: entry.path, mode: SYMLINK, bytes };
			}
			const bytes = await environment.readBytes(entry.path);
			return { kind: 'write', path: entry.path, mode: FILE | (entry.mode & 0o777), bytes };
		})
	);
}
