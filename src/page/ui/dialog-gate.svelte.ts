/** Requests for a dialog. Each request has its own dialog. */
export class DialogGate<Request extends object> {
	/** Request that the dialog is open for. */
	request: Request | null = $state.raw(null);

	open(request: Request): void {
		this.request = request;
	}

	/**
	 * Ends a request. The browser reports a closed dialog in a later task, when the next request may already be open:
	 * ending an earlier one does not affect it.
	 *
	 * @returns true if it was the open one
	 */
	close(request: Request): boolean {
		if (request !== this.request) return false;
		this.request = null;
		return true;
	}
}
