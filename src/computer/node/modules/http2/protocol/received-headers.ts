import { CAUSE, codeOfCause, ERROR, FLAG } from './codes.ts';
import type { ConnectionState } from './connection-state.ts';
import type { Dependency } from './frames.ts';
import { CompressionError } from './header-decoder.ts';
import type { HeaderField } from './header-table.ts';
import type { BlockKind } from './message-rules.ts';
import type { Outbound } from './outbound.ts';
import { CATEGORY, StreamState } from './stream-state.ts';

/** Header block with the frames that it came in. */
export interface ReceivedBlock {
	id: number;
	flags: number;
	block: Uint8Array;
	/** Promised stream. */
	promised?: number;
	dependency?: Dependency | null;
}

/** Received header blocks: which stream each belongs to, and whether it is valid. */
export class ReceivedHeaders {
	#rejected = 0;

	constructor(
		private readonly state: ConnectionState,
		private readonly outbound: Outbound
	) {}

	/** @throws ConnectionFailure */
	receive(received: ReceivedBlock): void {
		const { promised } = received;
		const stream = promised === undefined ? this.#subject(received) : this.#promised(received, promised);
		if (this.state.isTerminating) return;
		const isRefused = !this.#decode(received, stream);
		if (!stream || isRefused || this.state.isTerminating) return;
		this.#finish(received, stream);
	}

	/** Ends the connection because of an invalid frame. @throws ConnectionFailure */
	failConnection(cause: number, reason: string): null {
		this.state.countInvalidFrame(cause);
		this.outbound.terminate(codeOfCause(cause), reason);
		return null;
	}

	/** Ends a stream because of an invalid frame. @throws ConnectionFailure */
	failStream(id: number, cause: number): null {
		this.outbound.reset(id, codeOfCause(cause));
		this.state.countInvalidFrame(cause);
		return null;
	}

	/** Stream of a HEADERS frame, null if it is ignored. */
	#subject({ id, dependency }: ReceivedBlock): StreamState | null {
		const { state } = this;
		if (id === 0) return this.failConnection(CAUSE.PROTO, 'HEADERS: stream_id == 0');
		const stream = state.open.get(id);
		if (!stream) return state.options.isServer ? this.#request(id, dependency) : this.#strayHeaders(id);
		if (stream.phase === 'reserved') return this.#pushResponse(stream);
		if (stream.isReadShut) return this.failConnection(CAUSE.STREAM_CLOSED, 'HEADERS: stream closed');
		if (stream.phase === 'opening' && state.isMine(id)) {
			stream.phase = 'opened';
			return this.#begin(stream, CATEGORY.RESPONSE);
		}
		if (stream.phase === 'closing') return null;
		return this.#begin(stream, CATEGORY.HEADERS);
	}

	#strayHeaders(id: number): null {
		if (this.state.isIdle(id)) this.failConnection(CAUSE.PROTO, 'request HEADERS: client received request');
		return null;
	}

	#request(id: number, dependency?: Dependency | null): StreamState | null {
		const { state } = this;
		if (state.isMine(id)) return this.failConnection(CAUSE.PROTO, 'request HEADERS: invalid stream_id');
		// Headers that were on their way when the stream was reset.
		if (id <= state.lastReceivedId) return null;
		state.lastReceivedId = id;
		if (state.incoming >= state.local.maxConcurrentStreams)
			return this.failConnection(CAUSE.PROTO, 'request HEADERS: max concurrent streams exceeded');
		if (state.isTerminating || state.hasSentGoaway) return null;
		if (dependency?.parent === id) return this.failConnection(CAUSE.PROTO, 'request HEADERS: depend on itself');
		if (state.incoming >= state.pendingMaxStreams) return this.failStream(id, CAUSE.REFUSED_STREAM);
		const stream = state.openStream(id, 'opening');
		state.lastProcessedId = id;
		return this.#begin(stream, CATEGORY.REQUEST);
	}

	#pushResponse(stream: StreamState): StreamState | null {
		const { state } = this;
		if (state.options.isServer)
			return this.failConnection(CAUSE.PROTO, 'HEADERS: no HEADERS allowed from client in reserved state');
		if (state.incoming >= state.local.maxConcurrentStreams)
			return this.failConnection(CAUSE.PROTO, 'push response HEADERS: max concurrent streams exceeded');
		if (state.isTerminating || state.hasSentGoaway) return null;
		if (state.incoming >= state.pendingMaxStreams) return this.failStream(stream.id, CAUSE.REFUSED_STREAM);
		stream.phase = 'opened';
		stream.isPush = false;
		state.reserved--;
		state.incoming++;
		return this.#begin(stream, CATEGORY.PUSH_RESPONSE);
	}

	/** Opens a stream that the server promises. */
	#promised({ id }: ReceivedBlock, promised: number): StreamState | null {
		const { state } = this;
		const refuse = (reason: string) => this.failConnection(CAUSE.PROTO, `PUSH_PROMISE: ${reason}`);
		if (id === 0) return refuse('stream_id == 0');
		if (state.options.isServer || state.local.enablePush === 0) return refuse('push disabled');
		if (!state.isMine(id)) return refuse('invalid stream_id');
		if (state.isTerminating || state.hasSentGoaway) return null;
		if (promised === 0 || state.isMine(promised) || promised <= state.lastReceivedId)
			return refuse('invalid promised_stream_id');
		if (state.isIdle(id)) return refuse('stream in idle');
		state.lastReceivedId = promised;
		const parent = state.open.get(id);
		const isFull = state.reserved >= state.options.maxReservedStreams;
		if (!parent || parent.phase === 'closing' || !state.pendingPush || isFull) {
			this.outbound.reset(promised, ERROR.CANCEL);
			return null;
		}
		if (parent.isReadShut) return this.failConnection(CAUSE.STREAM_CLOSED, 'PUSH_PROMISE: stream closed');
		const stream = state.openStream(promised, 'reserved');
		state.lastProcessedId = promised;
		return this.#begin(stream, CATEGORY.REQUEST);
	}

	/** Starts the headers of a stream; a new one is refused while there are too many. */
	#begin(stream: StreamState, category: number): StreamState | null {
		const { state } = this;
		if (state.known.get(stream.id) !== stream) {
			if (stream.isDestroyed || !state.canAddStream()) return this.#reject(stream);
			state.known.set(stream.id, stream);
			this.#rejected = 0;
		}
		state.dropFields(stream);
		stream.category = category;
		stream.rules.start();
		return stream;
	}

	#reject(stream: StreamState): null {
		if (stream.isDestroyed) return null;
		if (this.#rejected++ > this.state.options.maxRejectedStreams) {
			this.state.events.failed(CAUSE.CALLBACK_FAILURE);
			this.outbound.terminate(ERROR.INTERNAL_ERROR);
			return null;
		}
		this.outbound.reset(stream.id, ERROR.ENHANCE_YOUR_CALM);
		return null;
	}

	/** Decodes a block, also one that is ignored: the tables change with it. @returns whether the fields are valid */
	#decode(received: ReceivedBlock, stream: StreamState | null): boolean {
		const { state } = this;
		const kind = stream ? this.#kindOf(received, stream) : 'request';
		let isValid = true;
		try {
			state.decoder.decode(received.block, (field) => {
				if (stream && isValid) isValid = this.#take(stream, field, kind);
			});
		} catch (error) {
			if (!(error instanceof CompressionError)) throw error;
			if (stream) this.outbound.reset(stream.id, ERROR.COMPRESSION_ERROR);
			this.outbound.terminate(ERROR.COMPRESSION_ERROR);
			return false;
		}
		return isValid;
	}

	#kindOf({ promised }: ReceivedBlock, stream: StreamState): BlockKind {
		if (promised !== undefined || stream.category === CATEGORY.REQUEST) return 'request';
		if (stream.category !== CATEGORY.HEADERS) return 'response';
		return !this.state.options.isServer && stream.rules.expectsFinal ? 'response' : 'trailers';
	}

	#take(stream: StreamState, field: HeaderField, kind: BlockKind): boolean {
		const { isServer, isStrict } = this.state.options;
		const rules = { isServer, isStrict, allowsProtocol: this.state.pendingProtocol !== 0 };
		const verdict = stream.rules.check(field, kind, rules);
		if (verdict === 'ignored') return true;
		if (verdict === 'refused') return this.failStream(stream.id, CAUSE.HTTP_HEADER) !== null;
		if (stream.isDestroyed || this.state.addField(stream, field)) return true;
		this.outbound.reset(stream.id, ERROR.ENHANCE_YOUR_CALM);
		return false;
	}

	#finish(received: ReceivedBlock, stream: StreamState): void {
		const { state } = this;
		if (!stream.isOpen || stream.phase === 'closing') return;
		const isLast = received.promised === undefined && (received.flags & FLAG.END_STREAM) !== 0;
		if (!stream.rules.ended(this.#kindOf(received, stream), isLast)) {
			this.failStream(stream.id, CAUSE.HTTP_MESSAGING);
			if (isLast) stream.isReadShut = true;
			return;
		}
		if (!stream.isDestroyed) {
			const { flags } = received;
			state.events.headers(stream, { category: stream.category, flags, fields: state.dropFields(stream) });
		}
		if (!isLast) return;
		stream.isReadShut = true;
		state.closeIfShut(stream);
	}
}
