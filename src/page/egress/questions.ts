import type { RefUpdate } from './push-request.ts';

/** A host that some program wants to reach, waiting for the user. */
export interface HostQuestion {
	kind: 'host';
	id: number;
	host: string;
	purpose: string;
	method: string;
	url: string;
}

/** A push, before anything of it is sent. */
export interface PushQuestion {
	kind: 'push';
	id: number;
	host: string;
	/** Origin and path of the repository. */
	repository: string;
	updates: readonly RefUpdate[];
	bytes: number;
}

/** The use of a repository's token to ask what it has, as the first step of a push. */
export interface PushTokenQuestion {
	kind: 'push-token';
	id: number;
	host: string;
	repository: string;
}

export type EgressQuestion = HostQuestion | PushQuestion | PushTokenQuestion;

/**
 * `session`: no question about the same thing again; `always`: nor in later sessions of the project, for a host alone.
 * A push is never allowed beyond itself.
 */
export type EgressDecision = 'once' | 'session' | 'always' | 'deny';

/** `unanswered`: as a denial, but the user did not say so. */
export type EgressAnswer = EgressDecision | 'unanswered';

interface Open {
	question: EgressQuestion;
	answer: (decision: EgressDecision) => void;
	decided: Promise<EgressAnswer>;
}

const UNANSWERED_MS = 60_000;

/** Open questions. One without an answer is closed after a minute. */
export class EgressQuestions {
	readonly #open = new Map<string, Open>();

	constructor(private readonly onChange: () => void) {}

	get list(): EgressQuestion[] {
		return [...this.#open.values()].map(({ question }) => question);
	}

	/** @param key requests that arrive together and have the same key share one question */
	ask(key: string, question: EgressQuestion): Promise<EgressAnswer> {
		const open = this.#open.get(key);
		if (open) return open.decided;
		let resolve: (answer: EgressAnswer) => void = () => {};
		const promise = new Promise<EgressAnswer>((settle) => (resolve = settle));
		const timer = setTimeout(() => resolve('unanswered'), UNANSWERED_MS);
		const decided = promise.finally(() => {
			clearTimeout(timer);
			this.#open.delete(key);
			this.onChange();
		});
		this.#open.set(key, { question, answer: resolve, decided });
		this.onChange();
		return decided;
	}

	decide(id: number, decision: EgressDecision): void {
		for (const { question, answer } of this.#open.values()) if (question.id === id) answer(decision);
	}

	denyAll(): void {
		for (const { answer } of this.#open.values()) answer('deny');
	}
}
