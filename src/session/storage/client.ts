import { packed } from '#environment/packed.ts';
import { StorageFullError } from './append-file.ts';
import type { StorageCalls, StorageReply, StorageRequest } from './messages.ts';
import { joinReply } from './reply-parts.ts';

/** The page's interface to the storage worker. Calls are executed in order. */
export type Storage = {
	[Call in keyof StorageCalls]: (...args: Parameters<StorageCalls[Call]>) => Promise<ReturnType<StorageCalls[Call]>>;
};

interface Waiting {
	resolve: (value: unknown) => void;
	reject: (error: Error) => void;
	/** Parts of its result received so far. */
	items: unknown[];
}

/** Another tab has the session's files open. */
export class LockedError extends Error {
	override readonly name = 'LockedError';
	constructor() {
		super('This session is open in another tab. Close it there, or take it over from here.');
	}
}

/**
 * Wraps the worker's port.
 *
 * @param port a started storage worker
 * @returns an object whose methods are {@link StorageCalls}, each returning a promise
 */
export function connectStorage(port: Worker): Storage {
	const waiting = new Map<number, Waiting>();
	let next = 1;
	port.addEventListener('message', (message: MessageEvent<StorageReply>) => {
		const reply = message.data;
		const caller = waiting.get(reply.id);
		if ('items' in reply) return void caller?.items.push(...reply.items);
		waiting.delete(reply.id);
		if ('error' in reply) caller?.reject(toError(reply.error));
		else caller?.resolve(joinReply(caller.items, reply.result));
	});
	port.addEventListener('error', (event) => {
		for (const caller of waiting.values()) caller.reject(new Error(`The storage worker stopped: ${event.message}`));
		waiting.clear();
	});
	const call = (name: StorageRequest['call'], args: unknown[]) =>
		new Promise((resolve, reject) => {
			const id = next++;
			waiting.set(id, { resolve, reject, items: [] });
			const { args: sent, moved } = asSent(name, args);
			port.postMessage({ id, call: name, args: sent } satisfies StorageRequest, moved);
		});
	const target: Record<string, unknown> = {};
	// `then` must be absent, or awaiting the client would call the worker.
	return new Proxy(target, {
		get: (_, name) =>
			typeof name === 'string' && name !== 'then'
				? (...args: unknown[]) => call(name as StorageRequest['call'], args)
				: undefined
	}) as Storage;
}

/**
 * Packs the contents of changes into one buffer that is transferred: an installation has ten thousand files, and
 * copying each has its own cost.
 */
function asSent(name: StorageRequest['call'], args: unknown[]): { args: unknown[]; moved: Transferable[] } {
	if (name !== 'appendChanges') return { args, moved: [] };
	const [sessionId, changes] = args as Parameters<StorageCalls['appendChanges']>;
	const { items, buffer } = packed(changes);
	return { args: [sessionId, items], moved: [buffer] };
}

function toError(error: { name: string; message: string }): Error {
	if (error.name === 'StorageFullError') return new StorageFullError();
	if (error.name === 'LockedError') return new LockedError();
	return Object.assign(new Error(error.message), { name: error.name });
}
