import type { EventLoop } from '../runtime/event-loop.ts';
import { EventEmitter } from '../modules/events.ts';

type Listener = (...args: unknown[]) => unknown;

interface PortState {
	emitter: EventEmitter;
	release: (() => void) | null;
	isListening: boolean;
	isClosed: boolean;
}

const states = new WeakMap<MessagePort, PortState>();

/**
 * Adds Node's methods to the browser's `MessagePort`s: `on('message')`, `ref`, `unref`. They are on the
 * prototype, so that a port that arrives in a message has them too. A port with a listener for messages, or
 * after `ref`, keeps the program alive until `unref` or its end, as in Node.
 */
export function extendPorts(loop: EventLoop): void {
	const prototype = MessagePort.prototype as MessagePort & Record<string, unknown>;
	if ('ref' in prototype) return;
	const { close } = prototype;
	const stateOf = (port: MessagePort): PortState => {
		let state = states.get(port);
		if (!state) {
			state = { emitter: new EventEmitter(), release: null, isListening: false, isClosed: false };
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
	const listen = (port: MessagePort) => {
		const state = stateOf(port);
		if (state.isListening) return;
		state.isListening = true;
		port.addEventListener('message', (event) => loop.enter(() => state.emitter.emit('message', event.data)));
		port.addEventListener('messageerror', (event) => loop.enter(() => state.emitter.emit('messageerror', event.data)));
		port.addEventListener('close', () => ended(port));
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
		close(this: MessagePort) {
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
			onMessage?.set?.call(this, listener);
			if (typeof listener === 'function') hold(this);
			else drop(this);
		}
	});
}
