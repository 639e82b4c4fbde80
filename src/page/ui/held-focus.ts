import { tick } from 'svelte';

/**
 * Remembers what had the focus, for a dialog that may be taken out of the page while it is open: the browser
 * gives the focus back only for one that was closed.
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
			// After the dialog has closed. An element focused meanwhile keeps the focus.
			queueMicrotask(() => {
				if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected)
					before.focus();
			});
		}
	};
}

/**
 * Gives the focus to `target` where what had it goes away with this change, or can no longer be used. Not where
 * people touch: a text field that has the focus brings up a keyboard there.
 */
export async function catchFocus(target: { focus(): void } | undefined): Promise<void> {
	await tick();
	const at = document.activeElement;
	const isLost = at === null || at === document.body || at.matches(':disabled');
	if (isLost && matchMedia('(hover: hover)').matches) target?.focus();
}
