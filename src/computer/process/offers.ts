import type { ToKernel } from '#computer/abi/wire.ts';

/** Implements `ProcessContext.offer`. */
export function numberedOffers(
	post: (message: ToKernel, transfer: Transferable[]) => void
): (port: MessagePort) => number {
	let last = 0;
	return (port) => {
		const id = ++last;
		post({ kind: 'offer', id, port }, [port]);
		return id;
	};
}
