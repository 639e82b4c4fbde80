import type { FileChange } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import type { Channel } from './channel.ts';
import { decodeControl, encodeControl, Link, PROTOCOL, type Packet } from './link.ts';
import {
	CALLS,
	fromWireError,
	response,
	type CallArgs,
	type CallName,
	type CallResult,
	type Response
} from './messages.ts';
import type { EgressRequest } from './egress.ts';
import type { ListeningPort } from './servers.ts';

/** Pauses between attempts to reconnect; the last one repeats. */
const RETRY_MS = [100, 300, 1_000, 3_000, 5_000];
/** After this time without a connection, the machine counts as lost. */
const GIVE_UP_MS = 60_000;

/** State of the connection to a machine. `lost` is final. */
export type ConnectionState = 'connecting' | 'connected' | 'reconnecting' | 'lost' | 'closed';

export interface ConnectionOptions {
	/** Opens a channel to the machine. Called again after each loss. */
	connect(): Promise<Channel>;
	onState?: ((state: ConnectionState, reason: string) => void) | undefined;
	/** Default 60 s. */
	giveUpMs?: number | undefined;
}

/** Events of a call other than its answer: output, and the end of what it started. */
export type CallEvent =
	| Extract<Response, { type: 'processExit' | 'terminalData' | 'terminalExit' }>
	| (Extract<Response, { type: 'output' }> & { data: string });

export interface CallExtras {
	bytes?: Uint8Array | undefined;
	signal?: AbortSignal | undefined;
	/** Receives the events of the call, also after its answer. */
	onEvent?: ((event: CallEvent) => void) | undefined;
	/** Called if the machine is lost or closed after the call was answered. */
	onLost?: (() => void) | undefined;
}

/** Each message contains complete characters. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Makes a call on behalf of a process, a terminal or a trial. */
export type RemoteCaller = <Name extends CallName>(
	name: Name,
	args: CallArgs<Name>,
	extras?: CallExtras
) => Promise<{ value: CallResult<Name>; bytes: Uint8Array }>;

interface PendingCall {
	name: CallName;
	resolve(answer: { value: unknown; bytes: Uint8Array }): void;
	reject(error: EnvironmentError): void;
}

/** Makes calls over a {@link Link} that reconnects automatically. */
export class Connection {
	readonly #link = new Link({
		onPacket: (packet) => this.#receive(packet),
		onDetached: (reason) => void this.#reconnect(reason)
	});
	readonly #id = crypto.randomUUID();
	readonly #calls = new Map<number, PendingCall>();
	readonly #events = new Map<number, CallExtras>();
	readonly #changes = new Map<number, (change: FileChange) => void>();
	readonly #requests = new Map<number, (id: number, request: EgressRequest) => void>();
	readonly #ports = new Map<number, (ports: readonly ListeningPort[]) => void>();
	#lastCall = 0;
	#state: ConnectionState = 'connecting';
	#opening: Promise<void> | undefined;
	#reason = '';

	constructor(private readonly options: ConnectionOptions) {}

	get state(): ConnectionState {
		return this.#state;
	}

	/** Connects for the first time. @throws EnvironmentError `EUNAVAILABLE` */
	open(): Promise<void> {
		this.#opening ??= this.#attach().catch((error: unknown) => {
			this.#opening = undefined;
			throw new EnvironmentError('EUNAVAILABLE', error instanceof Error ? error.message : String(error));
		});
		return this.#opening;
	}

	/** Registers a listener for the journal of one remote environment. */
	listen(environment: number, listener: (change: FileChange) => void): void {
		this.#changes.set(environment, listener);
	}

	/** Registers a listener for the listening ports of one remote environment. */
	listenPorts(environment: number, listener: (ports: readonly ListeningPort[]) => void): void {
		this.#ports.set(environment, listener);
	}

	/** Registers a listener for requests of programs in one remote environment. */
	listenEgress(environment: number, listener: (id: number, request: EgressRequest) => void): void {
		this.#requests.set(environment, listener);
	}

	/** @throws EnvironmentError as the machine reports it; `EUNAVAILABLE` if the machine is lost */
	async call<Name extends CallName>(
		environment: number,
		name: Name,
		args: CallArgs<Name>,
		extras: CallExtras = {}
	): Promise<{ id: number; value: CallResult<Name>; bytes: Uint8Array }> {
		this.#requireAlive();
		const id = ++this.#lastCall;
		const answer = new Promise<{ value: unknown; bytes: Uint8Array }>((resolve, reject) =>
			this.#calls.set(id, { name, resolve, reject })
		);
		if (extras.onEvent) this.#events.set(id, extras);
		const cancel = (): void => this.#link.send({ type: 'cancel', id });
		extras.signal?.addEventListener('abort', cancel, { once: true });
		try {
			this.#link.send({ type: 'call', id, environment, name, args }, extras.bytes);
			await this.#link.ready();
			const { value, bytes } = await answer;
			return { id, value: CALLS[name].result.parse(value) as CallResult<Name>, bytes };
		} catch (error) {
			if (error instanceof EnvironmentError) throw error;
			throw new EnvironmentError('EIO', `The machine gave an invalid answer to ${name}.`);
		} finally {
			if (!KEEP_LISTENING.has(name)) {
				extras.signal?.removeEventListener('abort', cancel);
				this.#events.delete(id);
			}
		}
	}

	/** Closes permanently: pending calls reject. */
	close(): void {
		this.#end('closed', 'This environment has been closed.');
	}

	#requireAlive(): void {
		if (this.#state === 'closed') throw new EnvironmentError('ECLOSED', 'This environment has been closed.');
		if (this.#state === 'lost') throw lostError(this.#reason);
	}

	async #attach(): Promise<void> {
		const channel = await this.options.connect();
		await new Promise<void>((resolve, reject) => {
			let take: ((frame: Uint8Array) => void) | undefined;
			channel.listen({
				onFrame: (frame) => {
					if (take) return take(frame);
					try {
						take = this.#welcomed(channel, frame);
						resolve();
					} catch (error) {
						reject(error instanceof Error ? error : new Error(String(error)));
						channel.close();
					}
				},
				onClose: (reason) => {
					this.#link.closed(channel, reason);
					reject(new Error(reason || 'The machine closed the connection.'));
				}
			});
			const { received } = this.#link;
			channel.send(encodeControl({ type: 'hello', protocol: PROTOCOL, link: this.#id, received }));
		});
	}

	#welcomed(channel: Channel, frame: Uint8Array): (frame: Uint8Array) => void {
		const answer = decodeControl(frame);
		if (answer?.type === 'refused') throw answer.isFinal ? new RefusedError(answer.message) : new Error(answer.message);
		if (answer?.type !== 'welcome') throw new Error('The machine does not speak this protocol.');
		if (this.#state === 'closed') throw new RefusedError('This environment has been closed.');
		const take = this.#link.attach(channel, answer.received);
		this.#enter('connected');
		return take;
	}

	async #reconnect(reason: string): Promise<void> {
		if (this.#state === 'closed' || this.#state === 'lost') return;
		this.#enter('reconnecting', reason);
		const until = performance.now() + (this.options.giveUpMs ?? GIVE_UP_MS);
		let last = reason;
		for (let attempt = 0; this.#state === 'reconnecting'; attempt++) {
			try {
				return await this.#attach();
			} catch (error) {
				last = error instanceof Error ? error.message : String(error);
				if (error instanceof RefusedError || performance.now() > until) break;
			}
			const pause = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];
			await new Promise((resolve) => setTimeout(resolve, pause));
		}
		if (this.#state === 'reconnecting') this.#end('lost', last);
	}

	#receive({ header, bytes }: Packet): void {
		const message = response.parse(header);
		if (message.type === 'change') {
			const content = message.hasBytes ? { bytes: bytes.slice() } : {};
			this.#changes.get(message.environment)?.({ ...message.change, ...content });
			return;
		}
		if (message.type === 'ports') return this.#ports.get(message.environment)?.(message.ports);
		if (message.type === 'egress') {
			const { id, environment, method, url, headers } = message;
			this.#requests.get(environment)?.(id, { method, url, headers, body: bytes.slice() });
			return;
		}
		if (message.type !== 'result' && message.type !== 'failure') {
			const listener = this.#events.get(message.id);
			if (message.type === 'processExit' || message.type === 'terminalExit') this.#events.delete(message.id);
			listener?.onEvent?.(message.type === 'output' ? { ...message, data: decoder.decode(bytes) } : message);
			return;
		}
		const call = this.#calls.get(message.id);
		this.#calls.delete(message.id);
		if (message.type === 'result') return call?.resolve({ value: message.value, bytes });
		this.#events.delete(message.id);
		call?.reject(fromWireError(message.error));
	}

	#enter(state: ConnectionState, reason = ''): void {
		this.#state = state;
		this.#reason = reason;
		this.options.onState?.(state, reason);
	}

	#end(state: 'lost' | 'closed', reason: string): void {
		if (this.#state === 'closed' || this.#state === 'lost') return;
		this.#enter(state, reason);
		this.#link.close(reason);
		const error = state === 'closed' ? new EnvironmentError('ECLOSED', reason) : lostError(reason);
		for (const call of this.#calls.values()) call.reject(error);
		this.#calls.clear();
		for (const listener of this.#ports.values()) listener([]);
		for (const listener of this.#events.values()) listener.onLost?.();
		this.#events.clear();
	}
}

/** Calls whose events continue after the answer. */
const KEEP_LISTENING: ReadonlySet<CallName> = new Set(['start', 'openTerminal']);

/** The machine refused the connection, and will refuse it again. */
export class RefusedError extends Error {}

const lostError = (reason: string): EnvironmentError =>
	new EnvironmentError('EUNAVAILABLE', `The machine is gone: ${reason || 'the connection was lost'}`);
