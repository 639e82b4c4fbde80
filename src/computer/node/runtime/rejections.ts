import type { Runtime } from './runtime.ts';

/** Values of `--unhandled-rejections`. */
export const REJECTION_MODES = ['throw', 'strict', 'warn', 'warn-with-error-codes', 'none'] as const;
export type RejectionMode = (typeof REJECTION_MODES)[number];

/** Tracks rejected promises without a handler, as configured by `--unhandled-rejections`. */
export class Rejections {
	readonly #runtime: Runtime;
	readonly #mode: RejectionMode;
	readonly #fatal: (error: unknown) => void;
	/** Numbers of promises for which a warning was printed. */
	readonly #warned = new WeakMap<object, number>();
	#count = 0;

	constructor(runtime: Runtime, mode: RejectionMode, fatal: (error: unknown) => void) {
		this.#runtime = runtime;
		this.#mode = mode;
		this.#fatal = fatal;
	}

	unhandled(reason: unknown, promise: object): void {
		const { process, loop } = this.#runtime;
		const isListened = process.listenerCount('unhandledRejection') > 0;
		if (this.#mode === 'strict') this.#fatal(errorOf(reason));
		if (isListened) loop.enter(() => process.emit('unhandledRejection', reason, promise));
		if (this.#mode === 'throw' && !isListened) this.#fatal(errorOf(reason));
		if (this.#mode === 'warn' || (this.#mode !== 'throw' && this.#mode !== 'none' && !isListened)) {
			this.#warn(reason, promise);
		}
		if (this.#mode === 'warn-with-error-codes' && !isListened) process.exitCode = 1;
	}

	/** Called when a promise got a handler after it was reported. */
	handled(promise: object): void {
		const { process, loop } = this.#runtime;
		loop.enter(() => process.emit('rejectionHandled', promise));
		const id = this.#warned.get(promise);
		if (id === undefined) return;
		const words = `Promise rejection was handled asynchronously (rejection id: ${id})`;
		process.emitWarning(words, 'PromiseRejectionHandledWarning');
	}

	#warn(reason: unknown, promise: object): void {
		const { process } = this.#runtime;
		const id = ++this.#count;
		this.#warned.set(promise, id);
		const stack: unknown = Object(reason as object)['stack' as never];
		const name = 'UnhandledPromiseRejectionWarning';
		process.emitWarning(typeof stack === 'string' ? stack : String(reason), name);
		const words = `Unhandled promise rejection. ${ORIGIN} To terminate the node process on unhandled promise rejection, use the CLI flag \`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`;
		const warning = Object.assign(new Error(words), { name });
		if (typeof stack === 'string') Object.defineProperty(warning, 'stack', { value: stack, configurable: true });
		process.emitWarning(warning);
	}
}

const ORIGIN =
	'This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch().';

/** Error that ends a program: the reason, or one that describes it. */
function errorOf(reason: unknown): unknown {
	if (reason instanceof Error) return reason;
	const words = `${ORIGIN} The promise rejected with the reason "${String(reason)}".`;
	const error = Object.assign(new Error(words), { name: 'UnhandledPromiseRejection', code: 'ERR_UNHANDLED_REJECTION' });
	Object.defineProperty(error, 'stack', { value: `${error.name}: ${words}`, configurable: true });
	Object.defineProperty(error, 'name', { enumerable: false });
	return error;
}
