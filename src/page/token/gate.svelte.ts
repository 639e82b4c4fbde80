/** State of the server's question for its token. */
class TokenGate {
	/** Set while the dialog is open. */
	asking = $state(false);
	/** The last one was not accepted. */
	refused = $state(false);
	#answer: (token: string | null) => void = () => {};

	/** @returns the entered token; `null` when the user continues without */
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
