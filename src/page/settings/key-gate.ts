import { DialogGate } from '../ui/dialog-gate.svelte.ts';

/** A request for a key. */
export interface KeyRequest {
	/** Called once there is a key and its model is selected, e.g. to send the message that needed one. */
	readonly resume: (() => void) | null;
}

/** Asks for a key, and continues once there is one. */
class KeyGate extends DialogGate<KeyRequest> {
	/** @param resume called once there is a key and its model is selected */
	ask(resume: (() => void) | null = null): void {
		this.open({ resume });
	}

	/** Ends a request, now that there is a key. */
	finish(request: KeyRequest): void {
		if (this.close(request)) request.resume?.();
	}
}

export const keyGate = new KeyGate();
