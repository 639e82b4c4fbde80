/** Whether a model's name is being asked for. */
class NameGate {
	/** What the dialog is open for; each request has a dialog of its own. */
	request: object | null = $state.raw(null);

	ask(): void {
		this.request = {};
	}

	/** Ends a request; a later one, which may be open when the browser reports a closed dialog, stays. */
	close(request: object): void {
		if (request === this.request) this.request = null;
	}
}

export const nameGate = new NameGate();
