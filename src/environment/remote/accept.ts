import type { Channel } from './channel.ts';
import { decodeControl, encodeControl, Link, PROTOCOL, type Packet } from './link.ts';

/** Serves one page for the lifetime of its link. */
export interface LinkedHost {
	receive(packet: Packet): void;
	close(): Promise<void>;
}

interface Lease {
	link: Link;
	host: LinkedHost | undefined;
	timer: ReturnType<typeof setTimeout> | undefined;
}

export interface AcceptOptions {
	/** Starts serving a new page. Rejects with a sentence for the user if that is not allowed. */
	open(linkId: string, link: Link): Promise<LinkedHost>;
	/** A link without a connection is closed after this time. Default 90 s. */
	patienceMs?: number;
	/** Called when a page's link and its processes have ended. */
	onClosed?(linkId: string): void;
}

const PATIENCE_MS = 90_000;

/** Accepts channels from pages and attaches each one to the link it continues. */
export class LinkAcceptor {
	readonly #leases = new Map<string, Lease>();

	constructor(private readonly options: AcceptOptions) {}

	get linkIds(): readonly string[] {
		return [...this.#leases.keys()];
	}

	/** Serves a channel, starting with its first frame. */
	accept(channel: Channel): void {
		let take: ((frame: Uint8Array) => void) | undefined;
		let isGreeted = false;
		const early: Uint8Array[] = [];
		let lease: Lease | undefined;
		channel.listen({
			onFrame: (frame) => {
				if (take) return take(frame);
				if (isGreeted) return void early.push(frame);
				isGreeted = true;
				this.#greet(channel, frame)
					.then((greeted) => {
						({ take, lease } = greeted);
						for (const waiting of early.splice(0)) take(waiting);
					})
					.catch((error: unknown) => refuse(channel, error));
			},
			onClose: (reason) => lease?.link.closed(channel, reason)
		});
	}

	/** Stops serving one page, or all. */
	async close(linkId?: string): Promise<void> {
		const ended = linkId === undefined ? this.linkIds : [linkId];
		await Promise.all(ended.map((id) => this.#end(id, 'The machine was closed.')));
	}

	async #greet(channel: Channel, frame: Uint8Array): Promise<{ take: (frame: Uint8Array) => void; lease: Lease }> {
		const hello = decodeControl(frame);
		if (hello?.type !== 'hello' || hello.protocol !== PROTOCOL)
			throw new Error('This page and this server have different versions. Reload the page.');
		const lease = this.#leases.get(hello.link) ?? (await this.#open(hello.link, hello.received));
		const { received } = lease.link;
		clearTimeout(lease.timer);
		channel.send(encodeControl({ type: 'welcome', received }));
		return { take: lease.link.attach(channel, hello.received), lease };
	}

	async #open(id: string, received: number): Promise<Lease> {
		if (received > 0) throw new Error('The machine does not remember this connection.');
		const lease: Lease = {
			host: undefined,
			timer: undefined,
			link: new Link({
				onPacket: (packet) => lease.host?.receive(packet),
				onDetached: () => {
					lease.timer = setTimeout(() => void this.#end(id, ''), this.options.patienceMs ?? PATIENCE_MS);
				}
			})
		};
		lease.host = await this.options.open(id, lease.link);
		this.#leases.set(id, lease);
		return lease;
	}

	async #end(id: string, reason: string): Promise<void> {
		const lease = this.#leases.get(id);
		if (!lease) return;
		this.#leases.delete(id);
		clearTimeout(lease.timer);
		lease.link.endFlowControl();
		try {
			await lease.host?.close();
		} finally {
			lease.link.close(reason);
			this.options.onClosed?.(id);
		}
	}
}

function refuse(channel: Channel, error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	channel.send(encodeControl({ type: 'refused', message: message.slice(0, 2_000), isFinal: true }));
	channel.close(message);
}
