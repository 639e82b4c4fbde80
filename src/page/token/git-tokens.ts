/** Credentials for a git server. */
export interface GitCredentials {
	/** Any name works for servers that identify users by token alone. */
	user: string;
	token: string;
}

/** Purpose of a token: git reading, git pushing, or a pull request. */
export type TokenUse = 'read' | 'push' | 'request';

/**
 * Asks the user for the token of a repository.
 * @param repository origin and path: `https://git.example.org/owner/repository.git`
 * @param refused true if the last one was not accepted
 * @returns `null` if the user continues without one
 */
export type AskForToken = (repository: string, refused: boolean, use: TokenUse) => Promise<GitCredentials | null>;

/**
 * Stores tokens by repository: scheme, host, port and path exactly as git was given them. Tokens are kept in the page's
 * memory and sent in the `Authorization` of git's own requests to that repository, and nowhere else: not to storage,
 * and not to the sandbox.
 */
export class GitTokens {
	readonly #known = new Map<string, GitCredentials>();
	readonly #asking = new Map<string, Promise<GitCredentials | null>>();
	readonly #ask: AskForToken;

	constructor(ask: AskForToken) {
		this.#ask = ask;
	}

	/** `Authorization` header for a repository, if its token is known. */
	authorization(repository: string): string | undefined {
		const known = this.#known.get(repository);
		if (!known) return undefined;
		const bytes = new TextEncoder().encode(`${known.user}:${known.token}`);
		return `Basic ${btoa(String.fromCharCode(...bytes))}`;
	}

	/** The token itself, for the server's own API; `null` if none is known. */
	token(repository: string): string | null {
		return this.#known.get(repository)?.token ?? null;
	}

	/**
	 * Asks for a repository's token after its server answered 401, once for all requests that wait for it.
	 * @param used `Authorization` that was not accepted, if there was one
	 * @returns true if there is one to try now
	 */
	async renew(repository: string, used: string | undefined, use: TokenUse): Promise<boolean> {
		// Another request has obtained a newer one meanwhile.
		if (this.authorization(repository) !== used) return this.authorization(repository) !== undefined;
		const key = `${use} ${repository}`;
		let asking = this.#asking.get(key);
		if (!asking) {
			asking = this.#ask(repository, used !== undefined, use).finally(() => this.#asking.delete(key));
			this.#asking.set(key, asking);
		}
		const given = await asking;
		if (given) this.#known.set(repository, given);
		else this.#known.delete(repository);
		return given !== null;
	}

	/** Removes all tokens, for the next project. */
	clear(): void {
		this.#known.clear();
	}
}
