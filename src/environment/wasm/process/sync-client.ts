import type { SyncSyscalls } from './client.ts';
import { SYSCALL_NAMES } from './call-names.ts';
import { ownBytes } from './own-bytes.ts';
import { decodeReply } from './reply-codec.ts';
import { putRequest } from './request-codec.ts';
import type { SyscallName } from './syscalls.ts';
import { HEADER_BYTES, Slot, State, type ToKernel } from './wire.ts';

/** The calls of a process that sleeps until each is answered. */
export function createSyncSyscalls(port: MessagePort, memory: SharedArrayBuffer): SyncSyscalls {
	const slots = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const data = new Uint8Array(memory, HEADER_BYTES);
	const { store, wait, load } = Atomics;
	const post: (message: ToKernel) => void = port.postMessage.bind(port);

	/** @returns bytes of the piece that has come */
	const reply = (): number => {
		for (;;) {
			const state = load(slots, Slot.state);
			if (state === State.replied) return load(slots, Slot.length);
			wait(slots, Slot.state, state);
		}
	};

	const request = (length: number, isMore: 0 | 1): number => {
		store(slots, Slot.length, length);
		store(slots, Slot.kind, isMore);
		store(slots, Slot.state, State.requested);
		post({ kind: 'call' });
		return reply();
	};

	const ask = (name: SyscallName, args: unknown[]): number => {
		const length = putRequest(data, name, args);
		if (length > 0) return request(length, 0);
		store(slots, Slot.state, State.waiting);
		post({ kind: 'sync', name, args: args.map(ownBytes) });
		return reply();
	};

	const call = (name: SyscallName, args: unknown[]): unknown => {
		let length = ask(name, args);
		const kind = load(slots, Slot.kind);
		const bytes = new Uint8Array(load(slots, Slot.total));
		bytes.set(data.subarray(0, length));
		for (let at = length; at < bytes.length; at += length) {
			length = request(0, 1);
			bytes.set(data.subarray(0, length), at);
		}
		return decodeReply({ kind, bytes });
	};

	const calls: Record<string, unknown> = {};
	for (const name of SYSCALL_NAMES) calls[name] = (...args: unknown[]) => call(name, args);
	return calls as unknown as SyncSyscalls;
}
