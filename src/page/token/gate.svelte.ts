/** Where the server's question for its token waits for the person. */
class TokenGate {
	/** Whether the dialog is open. */
	asking = $state(false);
	/** The last one was not accepted. */
	refused = $state(false);
	#answer: (token: string | null) => void = () => {};

	/** @returns what was typed; `null` when the person goes on without */
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
