import type { ToKernel } from '#computer/abi/wire.ts';

/** `ProcessContext.offer` over a way to the kernel. */
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
