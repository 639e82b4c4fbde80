/** Search in the timeline: words, or an event named by an address. */
class Finder {
	isOpen = $state(false);
	/** The `seq` of an event to be shown as soon as the timeline has it. */
	wanted: number | null = $state(null);

	open(): void {
		this.isOpen = true;
	}

	close(): void {
		this.isOpen = false;
	}
}

export const finder = new Finder();
