import { HEADER_BYTES, Slot, type SharedStart, type ToKernel } from '#computer/abi/wire.ts';

/** Sends messages of a process to its kernel, with shared memory. */
export interface Outbox {
	/** Posts a message. The kernel receives it before it answers a later call. */
	post(message: ToKernel, transfer?: Transferable[]): void;
	/** Announces a request in the shared memory. */
	announce(): void;
}

export function createOutbox(port: MessagePort, { memory, bell }: SharedStart): Outbox {
	const slots = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const rings = new Int32Array(bell);
	const { add, load, notify } = Atomics;
	const send: (message: ToKernel, transfer: Transferable[]) => void = port.postMessage.bind(port);
	const isRung = (): boolean => {
		if (load(slots, Slot.expected) === 0) return false;
		add(rings, 0, 1);
		notify(rings, 0);
		return true;
	};
	const post = (message: ToKernel, transfer: Transferable[] = []): void => {
		add(slots, Slot.posted, 1);
		send(message, transfer);
		// While it waits for the doorbell, the kernel handles no messages.
		isRung();
	};
	return { post, announce: () => void (isRung() || post({ kind: 'call' })) };
}
