/** Decisions by key name, in lowercase. */
type Keys = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Lets a question be answered by single keys while it has the focus. Takes the focus only if nothing else has it, and
 * restores it.
 */
export function decisionKeys(node: HTMLElement, keys: Keys): { update(keys: Keys): void; destroy(): void } {
	let current = keys;
	const before = document.activeElement;
	let hasFocus = false;
	const press = (event: KeyboardEvent): void => {
		const { target, key, ctrlKey, metaKey, altKey } = event;
		const isTyping =
			(target instanceof HTMLInputElement && target.type !== 'radio') || target instanceof HTMLTextAreaElement;
		const run = isTyping || ctrlKey || metaKey || altKey ? undefined : current[key.toLowerCase()];
		if (!run) return;
		event.preventDefault();
		event.stopPropagation();
		run();
	};
	const enter = (): void => void (hasFocus = true);
	const leave = ({ relatedTarget }: FocusEvent): void => {
		// If it is removed while focused, there is no next element.
		if (relatedTarget instanceof Node && !node.contains(relatedTarget)) hasFocus = false;
	};
	node.tabIndex = -1;
	node.addEventListener('keydown', press);
	node.addEventListener('focusin', enter);
	node.addEventListener('focusout', leave);
	if (before === null || before === document.body) node.focus({ preventScroll: true });
	return {
		update: (next) => void (current = next),
		destroy() {
			if (!hasFocus || !(document.activeElement === null || document.activeElement === document.body)) return;
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		}
	};
}
