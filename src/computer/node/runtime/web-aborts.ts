import { integer } from './validate.ts';
import { nodeError } from './errors.ts';
import type { Timers } from './timers.ts';
import { replaceConstructor } from './web-errors.ts';

const aborted = () => new DOMException('This operation was aborted', 'AbortError');

/** Largest delay of `AbortSignal.timeout`. Milliseconds. */
const MAX_DELAY_MS = 2 ** 32 - 1;

/** Makes signals abort with Node's messages if a program gives no reason: tests compare them. */
export function giveNodesAborts(timers: Timers): void {
	const { abort } = AbortController.prototype;
	define(AbortController.prototype, {
		abort(this: AbortController, reason: unknown = aborted()): void {
			abort.call(this, reason);
		}
	});
	define(AbortSignal, {
		abort(reason: unknown = aborted()): AbortSignal {
			const controller = new AbortController();
			controller.abort(reason);
			return controller.signal;
		},
		/** As in Node, it does not keep a program alive. */
		timeout(delay: unknown): AbortSignal {
			integer(0, MAX_DELAY_MS)(delay, 'delay');
			const controller = new AbortController();
			const expire = () => {
				controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
			};
			timers.setTimeout(expire, delay as number).unref();
			return controller.signal;
		}
	});
	replaceConstructor('AbortSignal', () => {
		throw nodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
	});
}

function define(holder: object, values: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(values)) {
		const before = Object.getOwnPropertyDescriptor(holder, name);
		Object.defineProperty(holder, name, { ...before, value });
	}
}
