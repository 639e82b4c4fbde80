import type { SyncSyscalls } from '#computer/abi/client.ts';
import { SYSCALL_NAMES } from '#computer/abi/call-names.ts';
import { createLook } from '#computer/abi/look.ts';
import type { Outbox } from './outbox.ts';
import { ownBytes } from './own-bytes.ts';
import { decodeReply } from '#computer/abi/reply-codec.ts';
import { RequestWriter } from '#computer/abi/request-codec.ts';
import type { SyscallName } from '#computer/abi/syscalls.ts';
import { HEADER_BYTES, Slot, State } from '#computer/abi/wire.ts';

/** Time a process spins for its reply before it sleeps: the duration of most calls. Milliseconds. */
const LOOK_MS = 0.03;

/** Creates the calls of a process that sleeps until each is answered. */
export function createSyncSyscalls(outbox: Outbox, memory: SharedArrayBuffer): SyncSyscalls {
	const slots = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const data = new Uint8Array(memory, HEADER_BYTES);
	const writer = new RequestWriter(data);
	const { store, wait, load } = Atomics;

	const look = createLook(LOOK_MS);
	const isReplied = () => load(slots, Slot.state) === State.replied;

	/** @returns number of bytes in the received piece */
	const reply = (): number => {
		// Through the doorbell the answer arrives soon, unless the call has to wait.
		if (load(slots, Slot.expected) === 1) look(isReplied);
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
		outbox.announce();
		return reply();
	};

	const ask = (name: SyscallName, args: unknown[]): number => {
		const length = writer.put(name, args);
		if (length > 0) return request(length, 0);
		store(slots, Slot.state, State.waiting);
		outbox.post({ kind: 'sync', name, args: args.map(ownBytes) });
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
	calls['exit'] = (code: unknown) => {
		call('exit', [code]);
		// The kernel has ended the process, but its worker runs until the browser terminates it.
		for (;;) wait(slots, Slot.state, load(slots, Slot.state));
	};
	return calls as unknown as SyncSyscalls;
}
