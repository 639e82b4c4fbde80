/** State of the dialog for the server's token. */
class TokenGate {
	/** Set while the dialog is open. */
	asking = $state(false);
	/** True if the last token was not accepted. */
	refused = $state(false);
	#answer: (token: string | null) => void = () => {};

	/** @returns entered token; `null` if the user continues without one */
	ask(refused: boolean): Promise<string | null> {
		this.refused = refused;
		this.asking = true;
		return new Promise((resolve) => (this.#answer = resolve));
	}

	answer(token: string | null): void {
		this.asking = false;
		this.#answer(token);
	}
}

export const tokenGate = new TokenGate();
