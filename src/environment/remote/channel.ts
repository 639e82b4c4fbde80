/** Sends frames to the other side in order until it closes. Data sent on a closed channel is dropped. */
export interface Channel {
	/** @param frame must not be modified afterwards */
	send(frame: Uint8Array<ArrayBuffer>): void;
	/**
	 * Registers the listener for frames and, once, for the end of the channel. Must be called before any other method.
	 */
	listen(listener: ChannelListener): void;
	/** @param reason shown to the user of the other side if the transport can send it */
	close(reason?: string): void;
}

export interface ChannelListener {
	onFrame(frame: Uint8Array): void;
	onClose(reason: string): void;
}

/** Creates two connected channels in one process: data sent on one arrives on the other in a later microtask. */
export function channelPair(): [Channel, Channel] {
	const first = new PairedChannel();
	const second = new PairedChannel();
	first.peer = second;
	second.peer = first;
	return [first, second];
}

class PairedChannel implements Channel {
	peer: PairedChannel | undefined;
	readonly #early: Uint8Array[] = [];
	#listener: ChannelListener | undefined;
	#isClosed = false;

	send(frame: Uint8Array): void {
		const copy = frame.slice();
		const { peer } = this;
		if (!this.#isClosed && peer) queueMicrotask(() => peer.#receive(copy));
	}

	listen(listener: ChannelListener): void {
		this.#listener = listener;
		for (const frame of this.#early.splice(0)) listener.onFrame(frame);
	}

	close(reason = ''): void {
		const { peer } = this;
		this.#end(reason);
		if (peer) queueMicrotask(() => peer.#end(reason));
	}

	#receive(frame: Uint8Array): void {
		if (this.#isClosed) return;
		if (this.#listener) this.#listener.onFrame(frame);
		else this.#early.push(frame);
	}

	#end(reason: string): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#listener?.onClose(reason);
	}
}
