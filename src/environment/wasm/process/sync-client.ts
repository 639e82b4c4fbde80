import type { SyncSyscalls } from './client.ts';
import { SYSCALL_NAMES } from './call-names.ts';
import { ownBytes } from './own-bytes.ts';
import { decodeReply } from './reply-codec.ts';
import { HEADER_BYTES, Slot, type ToKernel } from './wire.ts';

/** The calls of a process that sleeps until each is answered. */
export function createSyncSyscalls(port: MessagePort, memory: SharedArrayBuffer): SyncSyscalls {
	const slots = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const data = new Uint8Array(memory, HEADER_BYTES);
	const { store, wait, load } = Atomics;
	const post: (message: ToKernel) => void = port.postMessage.bind(port);

	const ask = (message: ToKernel): number => {
		store(slots, Slot.state, 0);
		post(message);
		wait(slots, Slot.state, 0);
		return load(slots, Slot.length);
	};

	const call = (name: ToKernel & { kind: 'sync' }): unknown => {
		let length = ask(name);
		const kind = load(slots, Slot.kind);
		const bytes = new Uint8Array(load(slots, Slot.total));
		bytes.set(data.subarray(0, length));
		for (let at = length; at < bytes.length; at += length) {
			length = ask({ kind: 'more' });
			bytes.set(data.subarray(0, length), at);
		}
		return decodeReply({ kind, bytes });
	};

	const calls: Record<string, unknown> = {};
	for (const name of SYSCALL_NAMES) {
		calls[name] = (...args: unknown[]) => call({ kind: 'sync', name, args: args.map(ownBytes) });
	}
	return calls as unknown as SyncSyscalls;
}
