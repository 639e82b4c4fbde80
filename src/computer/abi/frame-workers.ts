/** Requests of the kernel to the frame's document, in browsers where the document creates the workers. */
export type FromKernel =
	| { kind: 'make'; id: number; name: string; text: string | null }
	| { kind: 'tell'; id: number; message: unknown }
	| { kind: 'end'; id: number };

/** A worker's script failed, or the worker could not be created. */
export type ToKernelWorker = { type: 'failed'; id: number; message: string };
