import type { RefUpdate } from './push-request.ts';

/** Question about a host that a program wants to reach. */
export interface HostQuestion {
	kind: 'host';
	id: number;
	host: string;
	purpose: string;
	method: string;
	url: string;
}

/** Question about a push, before any of it is sent. */
export interface PushQuestion {
	kind: 'push';
	id: number;
	host: string;
	/** Origin and path of the repository. */
	repository: string;
	updates: readonly RefUpdate[];
	bytes: number;
}

/** Question about using a repository's token to list its refs, the first step of a push. */
export interface PushTokenQuestion {
	kind: 'push-token';
	id: number;
	host: string;
	repository: string;
}

export type EgressQuestion = HostQuestion | PushQuestion | PushTokenQuestion;

/**
 * `session`: do not ask about the same again; `always`: nor in later sessions of the project, only for hosts.
 * Permission for a push covers only that push.
 */
export type EgressDecision = 'once' | 'session' | 'always' | 'deny';

/** `unanswered`: treated as a denial, but the user did not decide. */
export type EgressAnswer = EgressDecision | 'unanswered';

interface Open {
	question: EgressQuestion;
	answer: (decision: EgressDecision) => void;
	decided: Promise<EgressAnswer>;
}

const UNANSWERED_MS = 60_000;

/** Open questions. A question without an answer is closed after a minute. */
export class EgressQuestions {
	readonly #open = new Map<string, Open>();

	constructor(private readonly onChange: () => void) {}

	get list(): EgressQuestion[] {
		return [...this.#open.values()].map(({ question }) => question);
	}

	/** @param key simultaneous requests with the same key share one question */
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
