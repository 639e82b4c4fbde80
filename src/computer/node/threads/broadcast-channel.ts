import { inspect } from 'node-inspect-extracted';
import { nodeError } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Receiver } from './broadcasts.ts';

type Handler = (event: MessageEvent) => unknown;

/** Creates the global `BroadcastChannel`. The browser's own would reach other frames. */
export function createBroadcastChannel({ broadcasts, loop }: Runtime): typeof globalThis.BroadcastChannel {
	class BroadcastChannel extends EventTarget {
		readonly #name: string;
		readonly #receiver: Receiver;
		readonly #handlers = new Map<string, Handler | null>();
		#leave: (() => void) | null;
		#release: (() => void) | null = null;

		constructor(...args: unknown[]) {
			if (args.length === 0) throw missing('name');
			super();
			// As in Node, a symbol is refused.
			this.#name = `${args[0] as string}`;
			const { name } = this;
			const receive = (data: unknown) => void this.dispatchEvent(new MessageEvent('message', { data }));
			this.#leave = broadcasts.join((this.#receiver = { name, receive }));
			this.ref();
		}

		get name(): string {
			if (!(#name in this)) {
				const words = 'Value of "this" must be of type BroadcastChannel';
				throw nodeError(TypeError, 'ERR_INVALID_THIS', words);
			}
			return this.#name;
		}

		close(): void {
			this.#leave?.();
			this.#leave = null;
			this.unref();
		}

		postMessage(...args: unknown[]): void {
			if (args.length === 0) throw missing('message');
			if (!this.#leave) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
			broadcasts.send(this.#receiver, args[0]);
		}

		ref(): this {
			if (this.#leave) this.#release ??= loop.hold('MessagePort');
			return this;
		}

		unref(): this {
			this.#release?.();
			this.#release = null;
			return this;
		}

		get onmessage(): Handler | null {
			return this.#handlers.get('message') ?? null;
		}

		set onmessage(handler: unknown) {
			this.#handle('message', handler);
		}

		get onmessageerror(): Handler | null {
			return this.#handlers.get('messageerror') ?? null;
		}

		set onmessageerror(handler: unknown) {
			this.#handle('messageerror', handler);
		}

		/** Listens from the first time on that a handler is set; later ones take its place. */
		#handle(type: string, handler: unknown): void {
			if (!this.#handlers.has(type)) {
				const call = (event: Event) => void this.#handlers.get(type)?.call(this, event as MessageEvent);
				this.addEventListener(type, call);
			}
			this.#handlers.set(type, typeof handler === 'function' ? (handler as Handler) : null);
		}

		[Symbol.for('nodejs.util.inspect.custom')](_depth: number, options: object): string {
			return `BroadcastChannel ${inspect({ name: this.#name, active: this.#leave !== null }, options)}`;
		}
	}
	return BroadcastChannel;
}

const missing = (name: string) => nodeError(TypeError, 'ERR_MISSING_ARGS', `The "${name}" argument must be specified`);
