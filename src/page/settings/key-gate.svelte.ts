/** Whether a key is being asked for, and what goes on once there is one. */
class KeyGate {
	isOpen = $state(false);
	#resume: (() => void) | null = null;

	/** @param resume called when a key is there and its model chosen, e.g. to send the message that wanted one */
	ask(resume: (() => void) | null = null): void {
		this.#resume = resume;
		this.isOpen = true;
	}

	/** @param added whether there is a key now */
	close(added: boolean): void {
		const resume = this.#resume;
		this.#resume = null;
		this.isOpen = false;
		if (added) resume?.();
	}
}

export const keyGate = new KeyGate();
