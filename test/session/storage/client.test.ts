import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { StorageFullError } from '#session/storage/append-file.ts';
import { connectStorage, LockedError } from '#session/storage/client.ts';
import type { StorageReply, StorageRequest, StoredChange } from '#session/storage/messages.ts';
import { inTime } from '#test/in-time.ts';

/** A worker that answers each call this way, and the errors that it raises itself. */
function connected(answer: (request: StorageRequest, reply: (message: StorageReply) => void) => void) {
	const { port1, port2 } = new MessageChannel();
	onTestFinished(() => port1.close());
	const asked: StorageRequest[] = [];
	port2.on('message', (request: StorageRequest) => {
		asked.push(request);
		answer(request, (message) => port2.postMessage(message));
	});
	const stopped: ((event: { message: string }) => void)[] = [];
	const worker = {
		addEventListener: (type: string, listener: (event: never) => void) => {
			if (type === 'error') stopped.push(listener as (typeof stopped)[number]);
			else if (type === 'message') (port1 as MessagePort).on('message', (data: unknown) => listener({ data } as never));
		},
		postMessage: (message: unknown, moved: ArrayBuffer[]) => port1.postMessage(message, moved)
	};
	return {
		storage: connectStorage(worker as unknown as Worker),
		asked,
		stop: (message: string) => stopped.forEach((each) => each({ message }))
	};
}

it('gives each caller the answer to its own call, in whatever order they come', async () => {
	const waiting: (() => void)[] = [];
	const { storage, asked } = connected(({ id, call }, reply) => {
		waiting.push(() => reply({ id, result: `${call} ${id}` }));
		if (waiting.length === 2) waiting.reverse().forEach((each) => each());
	});
	const both = Promise.all([storage.readBlob('s', 'blob'), storage.flush('s')]);
	expect(await inTime(both, 'both answers')).toEqual(['readBlob 1', 'flush 2']);
	expect(asked).toEqual([
		{ id: 1, call: 'readBlob', args: ['s', 'blob'] },
		{ id: 2, call: 'flush', args: ['s'] }
	]);
});

it('sends the contents of changes in one buffer, and leaves those of its caller as they are', async () => {
	const { storage, asked } = connected(({ id }, reply) => reply({ id, result: undefined }));
	const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
	const changes: StoredChange[] = [
		{ kind: 'write', path: '/a', mode: 0o100644, bytes: bytes('first') },
		{ kind: 'mkdir', path: '/b' },
		{ kind: 'write', path: '/c', mode: 0o100755, bytes: bytes('') },
		{ kind: 'write', path: '/d', mode: 0o100644, bytes: bytes('last') }
	];
	await inTime(storage.appendChanges('s', changes), 'the changes');
	expect(asked).toEqual([{ id: 1, call: 'appendChanges', args: ['s', changes] }]);
	const arrived = (asked[0]?.args[1] as StoredChange[]).flatMap((change) => ('bytes' in change ? change.bytes : []));
	expect(new Set(arrived.map(({ buffer }) => buffer)).size).toBe(1);
	expect(changes[0]).toHaveProperty('bytes', bytes('first'));
});

it('joins what comes in parts', async () => {
	const { storage } = connected(({ id }, reply) => {
		reply({ id, items: [{ name: 'a' }] });
		reply({ id, items: [{ name: 'b' }] });
		reply({ id: 99, items: [{ name: 'of nobody' }] });
		reply({ id, result: [] });
	});
	expect(await inTime(storage.raw('s'), 'all parts')).toEqual([{ name: 'a' }, { name: 'b' }]);
});

it('fails as the worker does, by the kinds of error that callers tell apart', async () => {
	const { storage } = connected(({ id, args: [name] }, reply) =>
		reply({ id, error: { name: String(name), message: 'as it was said' } })
	);
	const failing = (name: string): Promise<void> => inTime(storage.flush(name), name);
	await expect(failing('StorageFullError')).rejects.toBeInstanceOf(StorageFullError);
	await expect(failing('LockedError')).rejects.toBeInstanceOf(LockedError);
	await expect(failing('LockedError')).rejects.toMatchObject({
		name: 'LockedError',
		message: 'This session is open in another tab. Close it there, or take it over from here.'
	});
	await expect(failing('NotFoundError')).rejects.toMatchObject({
		name: 'NotFoundError',
		message: 'as it was said'
	});
});

it('fails all that waits when the worker stops', async () => {
	const { storage, asked, stop } = connected(() => undefined);
	const waiting = [storage.flush('s'), storage.close('s')].map((call) => call.catch((error: Error) => error.message));
	await vi.waitFor(() => expect(asked).toHaveLength(2));
	stop('out of memory');
	expect(await inTime(Promise.all(waiting), 'the failures')).toEqual(
		Array(2).fill('The storage worker stopped: out of memory')
	);
});

it('asks at once, and passes each answer on as it comes', async () => {
	const [told, failed]: ((event: object) => void)[][] = [[], []];
	const asked: StorageRequest[] = [];
	const storage = connectStorage({
		addEventListener: (type: string, listener: (event: object) => void) =>
			(type === 'error' ? failed : told)?.push(listener),
		postMessage: (request: StorageRequest) => asked.push(request)
	} as unknown as Worker);
	const outcomes: unknown[] = [];
	const record = (call: Promise<unknown>) =>
		void call.then(
			(value) => outcomes.push(value),
			(error: Error) => outcomes.push(error.message)
		);
	const answer = async (data: StorageReply) => {
		for (const listener of told ?? []) listener({ data });
		await new Promise((resolve) => setImmediate(resolve));
		return outcomes.splice(0);
	};
	record(storage.readBlob('s', 'b'));
	record(storage.raw('s'));
	record(storage.flush('s'));
	expect(asked).toEqual([
		{ id: 1, call: 'readBlob', args: ['s', 'b'] },
		{ id: 2, call: 'raw', args: ['s'] },
		{ id: 3, call: 'flush', args: ['s'] }
	]);
	expect(await answer({ id: 2, items: [1] })).toEqual([]);
	expect(await answer({ id: 2, result: [] })).toEqual([[1]]);
	expect(await answer({ id: 1, error: { name: 'Error', message: 'no' } })).toEqual(['no']);
	// Those callers already have their answers.
	expect(await answer({ id: 1, result: 'again' })).toEqual([]);
	expect(await answer({ id: 2, error: { name: 'Error', message: 'again' } })).toEqual([]);
	expect(await answer({ id: 9, items: [1] })).toEqual([]);
	for (const listener of failed ?? []) listener({ message: 'gone' });
	await new Promise((resolve) => setImmediate(resolve));
	expect(outcomes).toEqual(['The storage worker stopped: gone']);
});

it('can be awaited itself', async () => {
	const { storage, asked } = connected(() => undefined);
	expect(await storage).toBe(storage);
	expect(asked).toEqual([]);
});
