/** Script of a worker that says once that it is there, and answers whatever comes over the port it is given. */
export const WITNESS = `onmessage = ({ data: port }) => {
	const answer = () => port.postMessage(null);
	port.onmessage = answer;
	answer();
};`;

/**
 * Finds out whether the kernel's worker is gone, of which no event tells. The kernel starts a worker
 * that only answers here: the browser ends it together with the kernel, and a busy kernel does not
 * keep it from answering. On a busy machine it may be late, so it is compared with another worker,
 * of the frame's own: only what one answers and the other does not counts.
 */
export class Witness {
	/** The kernel's end. */
	readonly port: MessagePort;
	#ours: MessagePort;
	#other: MessagePort | null = null;
	#isThere = false;
	#silent = 0;

	constructor() {
		const { port1, port2 } = new MessageChannel();
		this.#ours = port1;
		this.port = port2;
		port1.onmessage = () => {
			this.#isThere = true;
			this.#silent = 0;
		};
	}

	/** @param worker runs {@link WITNESS} */
	compareWith(worker: Worker): void {
		const { port1, port2 } = new MessageChannel();
		this.#other = port1;
		port1.onmessage = () => {
			if (this.#isThere) this.#silent++;
		};
		worker.postMessage(port2, [port2]);
	}

	/** Asks both. @returns how often the other worker has answered since the kernel's did */
	ask(): number {
		this.#ours.postMessage(null);
		this.#other?.postMessage(null);
		return this.#silent;
	}
}
