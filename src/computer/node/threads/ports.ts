import type { EventLoop } from '../runtime/event-loop.ts';
import { EventEmitter } from '../modules/events.ts';
import { cloneWithEvents } from '../runtime/web-clones.ts';
import { openMail, postMail } from './port-mail.ts';

type Listener = (...args: unknown[]) => unknown;

interface PortState {
	isWatched: boolean;
	emitter: EventEmitter;
	release: (() => void) | null;
	isListening: boolean;
	isClosed: boolean;
}

const states = new WeakMap<MessagePort, PortState>();

/** Last message of a port that is closed. Not every browser notifies the other end. */
const CLOSED = '\0sandglass:port-closed';

/** Native methods used by those for programs. */
type Native = Pick<MessagePort, 'close' | 'addEventListener' | 'postMessage'>;

/** Adds Node's features to a browser's port: listeners that keep the program alive, and a close event on both sides. */
class Ports {
	constructor(
		private readonly loop: EventLoop,
		private readonly native: Native
	) {}

	state(port: MessagePort): PortState {
		let state = states.get(port);
		if (!state) {
			state = { emitter: new EventEmitter(), release: null, isWatched: false, isListening: false, isClosed: false };
			states.set(port, state);
		}
		return state;
	}

	/** Keeps the program alive. */
	hold(port: MessagePort): void {
		const state = this.state(port);
		if (!state.isClosed) state.release ??= this.loop.hold();
	}

	release(port: MessagePort): void {
		const state = this.state(port);
		state.release?.();
		state.release = null;
	}

	/**
	 * Closes the port when the other end is closed. Added before the first listener, so that none sees that message.
	 */
	watch(port: MessagePort): void {
		const state = this.state(port);
		if (state.isWatched) return;
		state.isWatched = true;
		const { addEventListener, close } = this.native;
		addEventListener.call(port, 'close', () => this.#ended(port));
		addEventListener.call(port, 'message', (event) => {
			if (!(event instanceof MessageEvent)) return;
			if (event.data !== CLOSED) {
				if (!openMail(port, event)) event.stopImmediatePropagation();
				return;
			}
			event.stopImmediatePropagation();
			close.call(port);
			this.#ended(port);
		});
	}

	/** Emits messages from now on. */
	listen(port: MessagePort): void {
		const state = this.state(port);
		if (state.isListening) return;
		state.isListening = true;
		this.watch(port);
		const emit = (name: string) => (event: MessageEvent) => this.loop.enter(() => state.emitter.emit(name, event.data));
		port.addEventListener('message', emit('message'));
		port.addEventListener('messageerror', emit('messageerror'));
		port.start();
	}

	close(port: MessagePort): void {
		this.native.postMessage.call(port, CLOSED);
		this.native.close.call(port);
		this.loop.post(() => this.#ended(port));
	}

	#ended(port: MessagePort): void {
		const state = this.state(port);
		if (state.isClosed) return;
		state.isClosed = true;
		this.release(port);
		this.loop.enter(() => state.emitter.emit('close'));
	}
}

/**
 * Adds Node's methods to the browser's `MessagePort`s: `on('message')`, `ref`, `unref`. They are on the prototype, so
 * that a port that arrives in a message has them too. A port with a message listener, or after `ref`, keeps the program
 * alive until `unref` or until it is closed, as in Node.
 */
export function extendPorts(loop: EventLoop): void {
	const prototype = MessagePort.prototype as MessagePort & Record<string, unknown>;
	if ('ref' in prototype) return;
	const { close, addEventListener, postMessage } = prototype;
	const ports = new Ports(loop, { close, addEventListener, postMessage });
	const onMessage = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
	for (const [name, value] of Object.entries(portMethods(ports, { addEventListener, postMessage }))) {
		Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
	}
	Object.defineProperty(prototype, 'onmessage', {
		configurable: true,
		get(this: MessagePort): unknown {
			return onMessage?.get?.call(this);
		},
		set(this: MessagePort, listener: unknown) {
			ports.watch(this);
			onMessage?.set?.call(this, listener);
			if (typeof listener === 'function') ports.hold(this);
			else ports.release(this);
		}
	});
}

function portMethods(
	ports: Ports,
	{ addEventListener, postMessage }: Pick<Native, 'addEventListener' | 'postMessage'>
): Record<string, unknown> {
	const on = function (this: MessagePort, event: string, listener: Listener) {
		const { emitter } = ports.state(this);
		emitter.on(event, listener);
		if (event !== 'message') return this;
		ports.listen(this);
		if (emitter.listenerCount('message') === 1) ports.hold(this);
		return this;
	};
	const off = function (this: MessagePort, event: string, listener: Listener) {
		const { emitter } = ports.state(this);
		emitter.off(event, listener);
		if (event === 'message' && emitter.listenerCount('message') === 0) ports.release(this);
		return this;
	};
	return {
		on,
		addListener: on,
		once(this: MessagePort, event: string, listener: Listener) {
			const heard: Listener = (...args) => {
				// Before the listener, which may call `ref`.
				off.call(this, event, heard);
				return Reflect.apply(listener, this, args);
			};
			// By it the emitter finds a listener that is to be removed.
			return on.call(this, event, Object.assign(heard, { listener }));
		},
		off,
		removeListener: off,
		emit(this: MessagePort, event: string, ...args: unknown[]) {
			return ports.state(this).emitter.emit(event, ...args);
		},
		removeAllListeners(this: MessagePort, event?: string) {
			ports.state(this).emitter.removeAllListeners(event);
			return this;
		},
		listenerCount(this: MessagePort, event: string) {
			return ports.state(this).emitter.listenerCount(event);
		},
		ref(this: MessagePort) {
			ports.hold(this);
		},
		unref(this: MessagePort) {
			ports.release(this);
		},
		hasRef(this: MessagePort) {
			return ports.state(this).release !== null;
		},
		addEventListener(this: MessagePort, ...args: Parameters<typeof addEventListener>) {
			ports.watch(this);
			addEventListener.apply(this, args);
		},
		postMessage(this: MessagePort, value: unknown, transfer?: Transferable[] | StructuredSerializeOptions) {
			const list = Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []);
			cloneWithEvents(value, (cloned) =>
				postMail(this, cloned, list, (sent, moved) => postMessage.call(this, sent, { transfer: moved }))
			);
		},
		close(this: MessagePort) {
			ports.close(this);
		}
	};
}
