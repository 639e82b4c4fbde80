import type { Interface } from './interface.ts';

interface Asking {
	signal?: AbortSignal;
}

/** Asks a question and returns the answer. Rejects with AbortError when `signal` fires. */
export function askFor(
	ask: (query: string, options: Asking, done: (answer: string) => void) => void,
	query: string,
	options: Asking = {}
): Promise<string> {
	return new Promise((resolve, reject) => {
		const { signal } = options;
		const give = () => reject(abortError(signal));
		if (signal?.aborted) return give();
		signal?.addEventListener('abort', give, { once: true });
		ask(query, options, (answer) => {
			signal?.removeEventListener('abort', give);
			resolve(answer);
		});
	});
}

function abortError(signal: AbortSignal | undefined): Error {
	const error = Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), { code: 'ABORT_ERR' });
	error.name = 'AbortError';
	return error;
}

/** `util.promisify(rl.question)`. */
export function promisifiedQuestion(prototype: Interface): void {
	Object.defineProperty(prototype.question, Symbol.for('nodejs.util.promisify.custom'), {
		value(this: Interface, query: string, options?: Asking) {
			return askFor((...asked) => this.question(...asked), query, options);
		},
		configurable: true
	});
}
