/** One time that a key is asked for. */
export interface KeyRequest {
	/** Called when a key is there and its model chosen, e.g. to send the message that wanted one. */
	readonly resume: (() => void) | null;
}

/** Whether a key is being asked for, and what goes on once there is one. */
class KeyGate {
	/** What the dialog is open for; each request has a dialog of its own. */
	request: KeyRequest | null = $state.raw(null);

	/** @param resume called when a key is there and its model chosen */
	ask(resume: (() => void) | null = null): void {
		this.request = { resume };
	}

	/**
	 * Ends a request. The browser reports a closed dialog in a later task, when the next request may already be
	 * open: ending an earlier one leaves that alone.
	 *
	 * @param added whether there is a key now
	 */
	close(request: KeyRequest, added: boolean): void {
		if (request !== this.request) return;
		this.request = null;
		if (added) request.resume?.();
	}
}

export const keyGate = new KeyGate();
