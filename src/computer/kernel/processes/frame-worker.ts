import type { FromKernel, ToKernelWorker } from '#computer/abi/frame-workers.ts';

/**
 * A worker that the frame's document makes for the kernel, and passes messages to. For Firefox, where a worker
 * that makes workers by itself stops in the middle of it sooner or later.
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
		// The script is large, and goes over once.
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

	/** From now on failures are dispatched to the worker they belong to. */
	static #listen(): void {
		addEventListener('message', ({ data }: MessageEvent<ToKernelWorker>) => {
			if (data.type !== 'failed') return;
			FrameWorker.#all.get(data.id)?.onerror?.(new ErrorEvent('error', { message: data.message, cancelable: true }));
		});
	}
}
