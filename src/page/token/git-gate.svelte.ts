import type { GitCredentials } from './git-tokens.ts';

/** So long a question stands; git fails then as if nobody had a token. */
const UNANSWERED_MS = 5 * 60_000;

/** Where git's question for a server's token waits for the person. */
class GitTokenGate {
	/** The server asked for, `https://git.example.org`; null while nothing is asked. */
	origin = $state<string | null>(null);
	/** The last token was not accepted. */
	refused = $state(false);
	#answer: (given: GitCredentials | null) => void = () => {};
	#before: Promise<unknown> = Promise.resolve();

	/** One question at a time. @returns `null` when the person goes on without */
	ask(origin: string, refused: boolean): Promise<GitCredentials | null> {
		const asked = this.#before.then(() => this.#open(origin, refused));
		this.#before = asked;
		return asked;
	}

	async #open(origin: string, refused: boolean): Promise<GitCredentials | null> {
		let resolve: (given: GitCredentials | null) => void = () => {};
		const answered = new Promise<GitCredentials | null>((settle) => (resolve = settle));
		this.#answer = resolve;
		this.refused = refused;
		this.origin = origin;
		const timer = setTimeout(() => resolve(null), UNANSWERED_MS);
		try {
			return await answered;
		} finally {
			clearTimeout(timer);
			this.origin = null;
		}
	}

	answer(given: GitCredentials | null): void {
		this.#answer(given);
	}
}

export const gitTokenGate = new GitTokenGate();
