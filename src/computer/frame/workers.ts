import type { FromKernel, ToKernelWorker } from '#computer/abi/frame-workers.ts';

/** Lifetime of an object URL: the worker has loaded its script by then. */
const ADDRESS_MS = 60_000;

/**
 * Creates workers for `kernel` and forwards its messages to them. They run programs; this document runs none.
 */
export function serveWorkers(kernel: Worker): void {
	const scripts = new Map<string, Blob>();
	const workers = new Map<number, Worker>();
	const make = (id: number, name: string, text: string | null): void => {
		if (text !== null) scripts.set(name, new Blob([text], { type: 'text/javascript' }));
		// A separate URL for each: a program could revoke the one it was started from.
		const url = URL.createObjectURL(scripts.get(name) ?? new Blob([]));
		setTimeout(() => URL.revokeObjectURL(url), ADDRESS_MS);
		const worker = new Worker(url, { name });
		worker.onerror = (event) => {
			event.preventDefault();
			const failed: ToKernelWorker = { type: 'failed', id, message: event.message };
			kernel.postMessage(failed);
		};
		workers.set(id, worker);
	};
	kernel.onmessage = ({ data }: MessageEvent<FromKernel>) => {
		if (data.kind === 'make') return make(data.id, data.name, data.text);
		const worker = workers.get(data.id);
		if (data.kind === 'tell') return worker?.postMessage(data.message, transferable(data.message));
		worker?.terminate();
		workers.delete(data.id);
	};
}

/** Ports and similar objects must be transferred: they cannot be cloned. */
function transferable(message: unknown): Transferable[] {
	if (typeof message !== 'object' || message === null) return [];
	return Object.values(message).filter((part) => part instanceof MessagePort);
}
