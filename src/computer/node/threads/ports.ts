import type { EventLoop } from '../runtime/event-loop.ts';
import { EventEmitter } from '../modules/events.ts';

type Listener = (...args: unknown[]) => unknown;

interface PortState {
	isWatched: boolean;
	emitter: EventEmitter;
	release: (() => void) | null;
	isListening: boolean;
	isClosed: boolean;
}

const states = new WeakMap<MessagePort, PortState>();

/** The last message of a port that is closed. Not every browser tells the other end of it. */
const CLOSED = '\0sandglass:port-closed';

/**
 * Adds Node's methods to the browser's `MessagePort`s: `on('message')`, `ref`, `unref`. They are on the
 * prototype, so that a port that arrives in a message has them too. A port with a listener for messages, or
 * after `ref`, keeps the program alive until `unref` or its end, as in Node.
 */
export function extendPorts(loop: EventLoop): void {
	const prototype = MessagePort.prototype as MessagePort & Record<string, unknown>;
	if ('ref' in prototype) return;
	const { close, addEventListener, postMessage } = prototype;
	const stateOf = (port: MessagePort): PortState => {
		let state = states.get(port);
		if (!state) {
			state = { emitter: new EventEmitter(), release: null, isWatched: false, isListening: false, isClosed: false };
			states.set(port, state);
		}
		return state;
	};
	const hold = (port: MessagePort) => {
		const state = stateOf(port);
		if (!state.isClosed) state.release ??= loop.hold();
	};
	const drop = (port: MessagePort) => {
		const state = stateOf(port);
		state.release?.();
		state.release = null;
	};
	const ended = (port: MessagePort) => {
		const state = stateOf(port);
		if (state.isClosed) return;
		state.isClosed = true;
		drop(port);
		loop.enter(() => state.emitter.emit('close'));
	};
	/** Ends the port with its other end. Comes before the first listener, none of which sees the message about it. */
	const watch = (port: MessagePort) => {
		const state = stateOf(port);
		if (state.isWatched) return;
		state.isWatched = true;
		addEventListener.call(port, 'close', () => ended(port));
		addEventListener.call(port, 'message', (event) => {
			if (!(event instanceof MessageEvent) || event.data !== CLOSED) return;
			event.stopImmediatePropagation();
			close.call(port);
			ended(port);
		});
	};
	const listen = (port: MessagePort) => {
		const state = stateOf(port);
		if (state.isListening) return;
		state.isListening = true;
		watch(port);
		port.addEventListener('message', (event) => loop.enter(() => state.emitter.emit('message', event.data)));
		port.addEventListener('messageerror', (event) => loop.enter(() => state.emitter.emit('messageerror', event.data)));
		port.start();
	};
	const on = (method: 'on' | 'once') =>
		function (this: MessagePort, event: string, listener: Listener) {
			const { emitter } = stateOf(this);
			emitter[method](event, listener);
			if (event !== 'message') return this;
			listen(this);
			if (emitter.listenerCount('message') === 1) hold(this);
			return this;
		};
	const off = function (this: MessagePort, event: string, listener: Listener) {
		const { emitter } = stateOf(this);
		emitter.off(event, listener);
		if (event === 'message' && emitter.listenerCount('message') === 0) drop(this);
		return this;
	};
	const onMessage = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
	const methods: Record<string, unknown> = {
		on: on('on'),
		addListener: on('on'),
		once: on('once'),
		off,
		removeListener: off,
		emit(this: MessagePort, event: string, ...args: unknown[]) {
			return stateOf(this).emitter.emit(event, ...args);
		},
		removeAllListeners(this: MessagePort, event?: string) {
			stateOf(this).emitter.removeAllListeners(event);
			return this;
		},
		listenerCount(this: MessagePort, event: string) {
			return stateOf(this).emitter.listenerCount(event);
		},
		ref(this: MessagePort) {
			hold(this);
		},
		unref(this: MessagePort) {
			drop(this);
		},
		hasRef(this: MessagePort) {
			return stateOf(this).release !== null;
		},
		addEventListener(this: MessagePort, ...args: Parameters<typeof addEventListener>) {
			watch(this);
			addEventListener.apply(this, args);
		},
		close(this: MessagePort) {
			postMessage.call(this, CLOSED);
			close.call(this);
			loop.post(() => ended(this));
		}
	};
	for (const [name, value] of Object.entries(methods)) {
		Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
	}
	Object.defineProperty(prototype, 'onmessage', {
		configurable: true,
		get(this: MessagePort): unknown {
			return onMessage?.get?.call(this);
		},
		set(this: MessagePort, listener: unknown) {
			watch(this);
			onMessage?.set?.call(this, listener);
			if (typeof listener === 'function') hold(this);
			else drop(this);
		}
	});
}
