/**
 * Element that a step focused. A browser removes a frame's focus when the surrounding page returns the keyboard to the
 * user; the displayed page must not notice that, and the next step must find the focus where it was. Ends when the user
 * uses the displayed page.
 */
let retained: Element | null = null;
let isDriven = false;
let isRestoring = false;

/** Restores the focus of the last step. Called before actions that may depend on it. */
export function restoreFocus(): void {
	isDriven = true;
	const element = retained;
	retained = null;
	if (!element?.isConnected || document.activeElement !== document.body) return;
	isRestoring = true;
	if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({ preventScroll: true });
	isRestoring = false;
}

/** Remembers the focus at the end of a step. */
export function retainFocus(): void {
	const { activeElement, body } = document;
	retained = activeElement === body ? null : activeElement;
}

const left = (event: FocusEvent): void => {
	if (event.target === retained && event.relatedTarget === null) event.stopImmediatePropagation();
};
const entered = (event: FocusEvent): void => {
	if (isRestoring) event.stopImmediatePropagation();
	else if (event.target instanceof Element) retained = isDriven ? event.target : null;
};
const used = (event: Event): void => {
	if (!event.isTrusted) return;
	isDriven = false;
	retained = null;
};
for (const type of ['blur', 'focusout'] as const) addEventListener(type, left, true);
for (const type of ['focus', 'focusin'] as const) addEventListener(type, entered, true);
for (const type of ['pointerdown', 'keydown'] as const) addEventListener(type, used, true);
