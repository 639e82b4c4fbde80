/** Requests of the kernel to the frame's document if that creates its workers. */
export type FromKernel =
	| { kind: 'make'; id: number; name: string; text: string | null }
	| { kind: 'tell'; id: number; message: unknown }
	| { kind: 'end'; id: number };

/** A worker's script has failed, or there was none. */
export type ToKernelWorker = { type: 'failed'; id: number; message: string };
