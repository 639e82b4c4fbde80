/** Milliseconds after which a message is removed: it has been read aloud by then, and the timeline still has it. */
const STANDS_MS = 1500;

/** Text of the live region: one message at a time, the latest replaces the previous one. */
export const live = $state({ message: '' });

let clearing: ReturnType<typeof setTimeout> | undefined;

/** Announces a message to screen readers. Long texts are truncated: the timeline has the full text. */
export function announce(message: string): void {
	const text = message.trim();
	live.message = text.length > 400 ? `${text.slice(0, 400)}…` : text;
	clearTimeout(clearing);
	clearing = setTimeout(() => (live.message = ''), STANDS_MS);
}
