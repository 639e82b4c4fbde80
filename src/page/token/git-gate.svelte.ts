import type { GitCredentials, TokenUse } from './git-tokens.ts';

/** Time limit for an answer; after it, git fails as without a token. */
const UNANSWERED_MS = 5 * 60_000;

/** Holds git's request for a repository's token until the user answers. */
class GitTokenGate {
	/** Repository of the request: origin and path; `null` if there is none. */
	repository = $state<string | null>(null);
	use: TokenUse = $state('read');
	/** True if the last token was not accepted. */
	refused = $state(false);
	#answer: (given: GitCredentials | null) => void = () => {};
	#before: Promise<unknown> = Promise.resolve();

	/** Handles one request at a time. @returns `null` if the user continues without a token */
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
