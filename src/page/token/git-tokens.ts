/** What a git server takes as proof of who asks. */
export interface GitCredentials {
	/** Servers that know people by token alone take any name. */
	user: string;
	token: string;
}

/**
 * Asks the person for the token of a git server.
 * @param origin `https://git.example.org`
 * @param refused the last one was not accepted
 * @returns `null` when the person goes on without
 */
export type AskForToken = (origin: string, refused: boolean) => Promise<GitCredentials | null>;

/**
 * The tokens of git servers, by scheme, host and port. They live in the page's memory, go into the
 * `Authorization` of git's own requests to their server, and nowhere else: not into storage, and not
 * into the sandbox.
 */
export class GitTokens {
	readonly #known = new Map<string, GitCredentials>();
	readonly #asking = new Map<string, Promise<GitCredentials | null>>();
	readonly #ask: AskForToken;

	constructor(ask: AskForToken) {
		this.#ask = ask;
	}

	/** The `Authorization` to send to a server, if its token is known. */
	authorization(origin: string): string | undefined {
		const known = this.#known.get(origin);
		if (!known) return undefined;
		const bytes = new TextEncoder().encode(`${known.user}:${known.token}`);
		return `Basic ${btoa(String.fromCharCode(...bytes))}`;
	}

	/** The token itself, for the server's own API; `null` where none is known. */
	token(origin: string): string | null {
		return this.#known.get(origin)?.token ?? null;
	}

	/**
	 * After a server answered 401: asks for its token, once for all requests that wait for it.
	 * @param used the `Authorization` that was not accepted, if there was one
	 * @returns whether there is one to try now
	 */
	async renew(origin: string, used: string | undefined): Promise<boolean> {
		// Another request has been given a newer one in the meantime.
		if (this.authorization(origin) !== used) return this.authorization(origin) !== undefined;
		let asking = this.#asking.get(origin);
		if (!asking) {
			asking = this.#ask(origin, used !== undefined).finally(() => this.#asking.delete(origin));
			this.#asking.set(origin, asking);
		}
		const given = await asking;
		if (given) this.#known.set(origin, given);
		else this.#known.delete(origin);
		return given !== null;
	}

	/** Forgets them all, for the next project. */
	clear(): void {
		this.#known.clear();
	}
}
