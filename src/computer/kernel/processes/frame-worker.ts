import type { FromKernel, ToKernelWorker } from '#computer/abi/frame-workers.ts';

/**
 * Worker that the frame's document creates for the kernel, and relays messages to. Used in Firefox, where a worker that
 * creates workers itself sooner or later stops while doing so.
 */
export class FrameWorker {
	static #all = new Map<number, FrameWorker>();
	/** Programs whose script the frame has. */
	static #known = new Set<string>();
	onerror: ((event: ErrorEvent) => void) | null = null;
	static #last = 0;
	readonly #id = ++FrameWorker.#last;

	constructor(text: string, name: string) {
		if (this.#id === 1) FrameWorker.#listen();
		FrameWorker.#all.set(this.#id, this);
		// The script is large, so it is sent only once.
		this.#post({ kind: 'make', id: this.#id, name, text: FrameWorker.#known.has(name) ? null : text });
		FrameWorker.#known.add(name);
	}

	postMessage(message: unknown, transfer: Transferable[] = []): void {
		this.#post({ kind: 'tell', id: this.#id, message }, transfer);
	}

	terminate(): void {
		FrameWorker.#all.delete(this.#id);
		this.#post({ kind: 'end', id: this.#id });
	}

	#post(message: FromKernel, transfer: Transferable[] = []): void {
		postMessage(message, { transfer });
	}

	/** Dispatches messages of the frame to the workers they belong to. */
	static #listen(): void {
		addEventListener('message', ({ data }: MessageEvent<ToKernelWorker>) => {
			if (data.type !== 'failed') return;
			FrameWorker.#all.get(data.id)?.onerror?.(new ErrorEvent('error', { message: data.message, cancelable: true }));
		});
	}
}
