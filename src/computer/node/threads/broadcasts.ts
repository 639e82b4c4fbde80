import type { EventLoop } from '../runtime/event-loop.ts';
import { cloneWithEvents } from '../runtime/web-clones.ts';

/** Receiver of the messages of one name. */
export interface Receiver {
	readonly name: string;
	receive(data: unknown): void;
}

/** A message on its way between threads. */
interface Broadcast {
	name: string;
	data: unknown;
}

/** The browser's own: messages between threads need no mailboxes. */
const post = MessagePort.prototype.postMessage;
const clone = globalThis.structuredClone.bind(globalThis);

/** Messages to all channels of a name in the threads of a program: each thread passes them on to those next to it. */
export class Broadcasts {
	readonly #receivers = new Set<Receiver>();
	readonly #links = new Set<MessagePort>();

	constructor(private readonly loop: EventLoop) {}

	/** Connects the thread next to this one. */
	link(port: MessagePort): void {
		this.#links.add(port);
		// Not `onmessage`, which would keep the program alive.
		port.addEventListener('message', ({ data }: MessageEvent<Broadcast>) => this.#pass(data, port));
		port.start();
	}

	unlink(port: MessagePort): void {
		this.#links.delete(port);
		port.close();
	}

	/** @returns a function that ends it */
	join(receiver: Receiver): () => void {
		this.#receivers.add(receiver);
		return () => this.#receivers.delete(receiver);
	}

	/** Sends a message to all others. @throws DOMException `DataCloneError` */
	send(from: Receiver, data: unknown): void {
		const { name } = from;
		this.#pass({ name, data: cloneWithEvents(data, clone) }, from);
	}

	#pass(message: Broadcast, from: Receiver | MessagePort): void {
		for (const port of this.#links) if (port !== from) post.call(port, message);
		for (const receiver of this.#receivers) {
			if (receiver === from || receiver.name !== message.name) continue;
			this.loop.arrive(() => {
				if (this.#receivers.has(receiver)) receiver.receive(clone(message.data));
			});
		}
	}
}
