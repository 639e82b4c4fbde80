/** Something a person can do from anywhere on the project's screen. */
export interface Action {
	id: string;
	/** As the palette names it. */
	label: string;
	/** As a keyboard event has it: `Alt+1`, `Ctrl+K`; `Ctrl` is ⌘ on a Mac. */
	keys?: string;
	run: () => void;
	/** False: it makes no sense now. */
	possible?: () => boolean;
}

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.platform);

/** The action a key press asks for. Plain letters belong to whoever is writing. */
export function actionFor(event: KeyboardEvent, actions: readonly Action[]): Action | undefined {
	const typed = keysOf(event);
	const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
	if (plain && isWriting(event.target)) return undefined;
	return actions.find(({ keys, possible }) => keys === typed && (possible?.() ?? true));
}

/** How the keys are written on this machine. */
export function shownKeys(keys: string): string {
	return isMac() ? keys.replace('Ctrl+', '⌘').replace('Alt+', '⌥') : keys;
}

function keysOf(event: KeyboardEvent): string {
	const command = isMac() ? event.metaKey : event.ctrlKey;
	// With Alt a Mac types other characters: the key's place counts.
	const key = /^(Digit|Key)/.test(event.code) ? event.code.replace(/^(Digit|Key)/, '') : event.key;
	const name = event.altKey ? key : event.key.length === 1 ? event.key.toUpperCase() : event.key;
	return `${command ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${name}`;
}

function isWriting(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches('input, textarea, select, .xterm *');
}
