import { tick } from 'svelte';

/**
 * Remembers the focused element for a dialog that may be removed from the page while it is open: the browser restores
 * the focus only for a dialog that was closed.
 */
export function heldFocus(): { take(): void; giveBack(): void } {
	let held: Element | null = null;
	return {
		take() {
			held = document.activeElement;
		},
		giveBack() {
			const before = held;
			held = null;
			// Runs after the dialog has closed. An element focused meanwhile keeps the focus.
			queueMicrotask(() => {
				if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected)
					before.focus();
			});
		}
	};
}

/**
 * Moves the focus to `target` if the focused element disappears with this change, or is now disabled. Not on touch
 * devices: focusing a text field would open the on-screen keyboard.
 */
export async function catchFocus(target: { focus(): void } | undefined): Promise<void> {
	await tick();
	const at = document.activeElement;
	const isLost = at === null || at === document.body || at.matches(':disabled');
	if (isLost && matchMedia('(hover: hover)').matches) target?.focus();
}
