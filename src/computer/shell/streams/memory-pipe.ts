import { BrokenPipe, BadDescriptor, type Stream } from './open-file.ts';

const CAPACITY = 65536;

/** Creates a pipe between two stages that both run inside the shell. Writers wait while the reader is behind. */
export function memoryPipe(): { reader: Stream; writer: Stream } {
	const queue: Uint8Array[] = [];
	let size = 0;
	let writerClosed = false;
	let readerClosed = false;
	let wake: (() => void)[] = [];
	const changed = () => {
		const waiting = wake;
		wake = [];
		for (const resume of waiting) resume();
	};
	const change = () => new Promise<void>((resolve) => wake.push(resolve));

	const reader: Stream = {
		isInput: true,
		async read(max) {
			while (queue.length === 0 && !writerClosed && !readerClosed) await change();
			const first = readerClosed ? undefined : queue.shift();
			if (!first) return new Uint8Array();
			const taken = first.length > max ? first.subarray(0, max) : first;
			if (taken.length < first.length) queue.unshift(first.subarray(max));
			size -= taken.length;
			changed();
			return taken;
		},
		write() {
			throw new BadDescriptor();
		},
		close() {
			readerClosed = true;
			changed();
		}
	};
	const writer: Stream = {
		isBroken: () => readerClosed,
		async read() {
			throw new BadDescriptor();
		},
		async write(bytes) {
			while (size >= CAPACITY && !readerClosed) await change();
			if (readerClosed) throw new BrokenPipe();
			if (bytes.length === 0) return;
			queue.push(bytes);
			size += bytes.length;
			changed();
		},
		close() {
			writerClosed = true;
			changed();
		}
	};
	return { reader, writer };
}
