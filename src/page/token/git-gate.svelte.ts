import type { GitCredentials, TokenUse } from './git-tokens.ts';

/** Time limit of a question; git then fails as without a token. */
const UNANSWERED_MS = 5 * 60_000;

/** Holds git's question for a repository's token until the user answers. */
class GitTokenGate {
	/** The repository asked for, origin and path; null while nothing is asked. */
	repository = $state<string | null>(null);
	use: TokenUse = $state('read');
	/** The last token was not accepted. */
	refused = $state(false);
	#answer: (given: GitCredentials | null) => void = () => {};
	#before: Promise<unknown> = Promise.resolve();

	/** One question at a time. @returns `null` when the user continues without */
	ask(repository: string, refused: boolean, use: TokenUse): Promise<GitCredentials | null> {
		const asked = this.#before.then(() => this.#open(repository, refused, use));
		this.#before = asked;
		return asked;
	}

	async #open(repository: string, refused: boolean, use: TokenUse): Promise<GitCredentials | null> {
		let resolve: (given: GitCredentials | null) => void = () => {};
		const answered = new Promise<GitCredentials | null>((settle) => (resolve = settle));
		this.#answer = resolve;
		this.refused = refused;
		this.use = use;
		this.repository = repository;
		const timer = setTimeout(() => resolve(null), UNANSWERED_MS);
		try {
			return await answered;
		} finally {
			clearTimeout(timer);
			this.repository = null;
		}
	}

	answer(given: GitCredentials | null): void {
		this.#answer(given);
	}
}

export const gitTokenGate = new GitTokenGate();
