/** An action available anywhere on the project's screen. */
export interface Action {
	id: string;
	/** Name in the palette. */
	label: string;
	/** Key combination in the form of keyboard events: `Alt+1`, `Ctrl+K`; `Ctrl` is ⌘ on a Mac. */
	keys?: string;
	run: () => void;
	/** Returns false if the action currently makes no sense. */
	possible?: () => boolean;
}

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.platform);

/** Action for a key press. Plain letters are left to text fields. */
export function actionFor(event: KeyboardEvent, actions: readonly Action[]): Action | undefined {
	const typed = keysOf(event);
	const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
	if (plain && isWriting(event.target)) return undefined;
	return actions.find(({ keys, possible }) => keys === typed && (possible?.() ?? true));
}

/** Display form of a key combination on this platform. */
export function shownKeys(keys: string): string {
	return isMac() ? keys.replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥') : keys;
}

function keysOf(event: KeyboardEvent): string {
	const command = isMac() ? event.metaKey : event.ctrlKey;
	// With Alt, a Mac types other characters, so the physical key is used.
	const key = /^(Digit|Key)/.test(event.code) ? event.code.replace(/^(Digit|Key)/, '') : event.key;
	const name = event.altKey ? key : event.key.length === 1 ? event.key.toUpperCase() : event.key;
	// A capital letter already implies Shift; in combination with a command key, Shift is a separate modifier.
	const shift = command && event.shiftKey && event.key.length === 1;
	return `${command ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${event.altKey ? 'Alt+' : ''}${name}`;
}

function isWriting(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches('input, textarea, select, .xterm *');
}
