import { DialogGate } from '../ui/dialog-gate.svelte.ts';

/** One request for a key. */
export interface KeyRequest {
	/** Called when a key is there and its model chosen, e.g. to send the message that wanted one. */
	readonly resume: (() => void) | null;
}

/** Asks for a key, and continues once there is one. */
class KeyGate extends DialogGate<KeyRequest> {
	/** @param resume called when a key is there and its model chosen */
	ask(resume: (() => void) | null = null): void {
		this.open({ resume });
	}

	/** Ends a request for which there is a key now. */
	finish(request: KeyRequest): void {
		if (this.close(request)) request.resume?.();
	}
}

export const keyGate = new KeyGate();
