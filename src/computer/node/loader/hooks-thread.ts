import { nodeError } from '../runtime/errors.ts';
import type { Loaded, LoaderHooks, Resolution } from './hooks.ts';
import type { HooksAnswer, HooksRequest, Registered } from './hooks-protocol.ts';
import { SERVE } from './hooks-server.ts';

/** Parts of `node:worker_threads` used here. */
export interface ThreadModule {
	Worker: new (code: string, options: object) => { unref(): void };
	MessageChannel: new () => MessageChannel;
	receiveMessageOnPort(port: MessagePort): { message: unknown } | undefined;
}

/** Runs in the thread before any code of the program. */
const CODE = `require('node:module')[Symbol.for('${SERVE.description}')](require('node:worker_threads').workerData)`;
/** Longer than loading any module takes; a thread that has ended never answers. */
const PATIENCE_MS = 60_000;

/**
 * Thread that runs the hooks of `module.register()`, as in Node: they may await, while the importing program waits for
 * them.
 */
export class HooksThread {
	readonly #threads: ThreadModule;
	readonly #hooks: LoaderHooks;
	readonly #port: MessagePort;
	readonly #answers = new Int32Array(new SharedArrayBuffer(4));
	#take: (() => void) | undefined;

	constructor(threads: ThreadModule, hooks: LoaderHooks) {
		this.#threads = threads;
		this.#hooks = hooks;
		const { port1, port2 } = new threads.MessageChannel();
		this.#port = port1;
		const worker = new threads.Worker(CODE, {
			eval: true,
			workerData: { port: port2, answers: this.#answers },
			transferList: [port2],
			// The program's preloaded modules have called `register()`, and would do so again.
			execArgv: [],
			env: { ...process.env, NODE_OPTIONS: '' }
		});
		worker.unref();
	}

	/** Adds the hooks of a module. @throws errors of loading or initializing it */
	register(specifier: string, parentURL: string, data: unknown, transfer: Transferable[]): void {
		const { resolve, load } = this.#ask({ kind: 'register', specifier, parentURL, data }, transfer) as Registered;
		this.#take?.();
		this.#take = this.#hooks.add({
			resolve: resolve
				? (name, context, next) =>
						// These hooks do not apply to `require()`.
						context.conditions.includes('require')
							? next(name)
							: (this.#ask({ kind: 'resolve', specifier: name, context }) as Resolution)
				: undefined,
			load: load ? (url, context) => this.#ask({ kind: 'load', url, context }) as Loaded : undefined
		});
	}

	/** Waits for the answer; the rest of the program is blocked meanwhile. */
	#ask(request: HooksRequest, transfer: Transferable[] = []): unknown {
		const end = Date.now() + PATIENCE_MS;
		let seen = Atomics.load(this.#answers, 0);
		this.#port.postMessage(request, transfer);
		for (;;) {
			const answer = this.#threads.receiveMessageOnPort(this.#port);
			if (answer) return valueOf(answer.message as HooksAnswer);
			if (Atomics.wait(this.#answers, 0, seen, end - Date.now()) === 'timed-out')
				throw nodeError(Error, 'ERR_WORKER_UNSERIALIZABLE_ERROR', 'The hooks of module.register() do not answer.');
			seen = Atomics.load(this.#answers, 0);
		}
	}
}

function valueOf(answer: HooksAnswer): unknown {
	if (answer.ok) return answer.value;
	const { message, name, code, stack } = answer.error;
	const error = Object.assign(new Error(message), { name });
	if (stack !== undefined) error.stack = stack;
	throw code === undefined ? error : Object.assign(error, { code });
}
