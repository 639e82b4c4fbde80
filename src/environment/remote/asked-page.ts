import { EnvironmentError } from '../errors.ts';
import type { AnswerEgress, EgressAnswer, EgressRequest } from './egress.ts';

/** Requests that may wait for the page concurrently. */
const MAX_WAITING = 64;
/** Time that the user has to decide about a host. */
const ANSWER_MS = 10 * 60_000;

interface Waiting {
	resolve(answer: EgressAnswer): void;
	reject(error: Error): void;
}

/** Requests of a machine's programs that were forwarded to the page. */
export class AskedPage {
	readonly #waiting = new Map<number, Waiting>();
	#last = 0;

	constructor(private readonly ask: (id: number, request: EgressRequest) => void) {}

	/** Forwards a request to the page and waits for its answer. */
	readonly answer: AnswerEgress = (request) => {
		if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new Error('Too many requests wait for an answer.'));
		const id = ++this.#last;
		return new Promise<EgressAnswer>((resolve, reject) => {
			const late = setTimeout(() => this.#take(id).reject(new Error('No one answered this request.')), ANSWER_MS);
			this.#waiting.set(id, {
				resolve: (answer) => {
					clearTimeout(late);
					resolve(answer);
				},
				reject: (error) => {
					clearTimeout(late);
					reject(error);
				}
			});
			this.ask(id, request);
		});
	};

	/** @throws EnvironmentError if no request with this id is waiting */
	answered(id: number, answer: EgressAnswer): void {
		this.#take(id).resolve(answer);
	}

	/** @throws EnvironmentError if no request with this id is waiting */
	refused(id: number, message: string): void {
		this.#take(id).reject(new Error(message));
	}

	/** Ends all waiting requests when the page is gone. */
	close(): void {
		for (const id of [...this.#waiting.keys()]) this.refused(id, 'The page has gone.');
	}

	#take(id: number): Waiting {
		const found = this.#waiting.get(id);
		if (!found) throw new EnvironmentError('ESRCH', 'This request does not wait for an answer.');
		this.#waiting.delete(id);
		return found;
	}
}
