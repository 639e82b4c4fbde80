/** How long a message stands: until it was read out, and no longer, since the timeline has it too. Milliseconds. */
const STANDS_MS = 1500;

/** What the live region says; one message at a time, the latest wins. */
export const live = $state({ message: '' });

let clearing: ReturnType<typeof setTimeout> | undefined;

/** Tells people who listen instead of looking. Long texts are cut: the timeline has the whole. */
export function announce(message: string): void {
	const text = message.trim();
	live.message = text.length > 400 ? `${text.slice(0, 400)}…` : text;
	clearTimeout(clearing);
	clearing = setTimeout(() => (live.message = ''), STANDS_MS);
}
