/** Search in the timeline: by words, or for an event named in the URL. */
class Finder {
	isOpen = $state(false);
	/** `seq` of an event to show as soon as the timeline has it. */
	wanted: number | null = $state(null);

	open(): void {
		this.isOpen = true;
	}

	close(): void {
		this.isOpen = false;
	}
}

export const finder = new Finder();
