/** What the live region says; one message at a time, the latest wins. */
export const live = $state({ message: '' });

/** Tells people who listen instead of looking. Long texts are cut: the timeline has the whole. */
export function announce(message: string): void {
	const text = message.trim();
	live.message = text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
