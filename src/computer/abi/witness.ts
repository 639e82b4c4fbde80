/** Script of a worker that posts one message when it runs, and then answers every message on the port it receives. */
export const WITNESS = `onmessage = ({ data: port }) => {
	const answer = () => port.postMessage(null);
	port.onmessage = answer;
	answer();
};`;

/**
 * Detects the end of the kernel's worker, for which there is no event. The kernel starts a worker that only answers
 * here: the browser ends it together with the kernel, and a busy kernel does not block it. Since it may be late on a
 * busy machine, it is compared with a worker of the frame: a missing answer only counts if the other worker has
 * answered.
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

	/** Asks both. @returns number of answers of the other worker since the last one of the kernel's */
	ask(): number {
		this.#ours.postMessage(null);
		this.#other?.postMessage(null);
		return this.#silent;
	}
}
