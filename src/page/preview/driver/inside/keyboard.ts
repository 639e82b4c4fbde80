interface Key {
	key: string;
	code: string;
	keyCode: number;
}

const NAMED: Readonly<Record<string, number>> = {
	Backspace: 8,
	Tab: 9,
	Enter: 13,
	Escape: 27,
	PageUp: 33,
	PageDown: 34,
	End: 35,
	Home: 36,
	ArrowLeft: 37,
	ArrowUp: 38,
	ArrowRight: 39,
	ArrowDown: 40,
	Insert: 45,
	Delete: 46
};
const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta'];

function keyNamed(name: string): Key {
	if (name === 'Space' || name === ' ') return { key: ' ', code: 'Space', keyCode: 32 };
	const named = NAMED[name];
	if (named !== undefined) return { key: name, code: name, keyCode: named };
	if (/^F([1-9]|1[0-2])$/.test(name)) return { key: name, code: name, keyCode: 111 + Number(name.slice(1)) };
	if ([...name].length !== 1)
		throw new Error(`There is no key ${name}. Use names such as Enter, ArrowDown or Control+a.`);
	const upper = name.toUpperCase();
	const code = /[A-Z]/.test(upper) ? `Key${upper}` : /\d/.test(name) ? `Digit${name}` : '';
	return { key: name, code, keyCode: upper.charCodeAt(0) };
}

/** Element with the keyboard focus, including inside open shadow roots. */
function focused(): Element {
	let element = document.activeElement;
	while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
	return element ?? document.body;
}

/** Presses one key, e.g. `Enter` or `Control+a`, with the browser's default action unless the page prevents it. */
export function pressKey(combination: string): void {
	const parts = combination === '+' ? ['+'] : combination.split(/\+(?=.)/);
	const key = keyNamed(parts.at(-1) ?? '');
	const held = parts.slice(0, -1);
	const unknown = held.find((each) => !MODIFIERS.includes(each));
	if (unknown !== undefined) throw new Error(`${unknown} is no modifier. They are ${MODIFIERS.join(', ')}.`);
	const [ctrlKey, shiftKey, altKey, metaKey] = MODIFIERS.map((each) => held.includes(each));
	const typed = shiftKey && key.key.length === 1 ? key.key.toUpperCase() : key.key;
	const { code, keyCode } = key;
	const init = { bubbles: true, cancelable: true, composed: true, view: window, key: typed, code, keyCode };
	const all: KeyboardEventInit = { ...init, ctrlKey, shiftKey, altKey, metaKey };
	const target = focused();
	const isCommand = ctrlKey || altKey || metaKey;
	if (target.dispatchEvent(new KeyboardEvent('keydown', all))) {
		const makesText = !isCommand && (typed.length === 1 || typed === 'Enter');
		const charCode = typed === 'Enter' ? 13 : typed.charCodeAt(0);
		const isFree =
			!makesText || focused().dispatchEvent(new KeyboardEvent('keypress', { ...all, keyCode: charCode, charCode }));
		if (isFree) act(typed, { shiftKey: shiftKey ?? false, isCommand: isCommand ?? false });
	}
	focused().dispatchEvent(new KeyboardEvent('keyup', all));
}

/** Types a text key by key. */
export function typeText(text: string): void {
	for (const character of text)
		pressKey(character === '\n' ? 'Enter' : character === '\t' ? 'Tab' : character === ' ' ? 'Space' : character);
}

/** Inserts text at the caret, replacing the selection; a single undo step. */
export function insertText(text: string): void {
	const target = focused();
	const before = valueOf(target);
	const isDone = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
	if (isDone && (before === null || valueOf(target) !== before || text === '')) return;
	if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
	// An editing command may do nothing without the keyboard focus.
	const { value } = target;
	const start = target.selectionStart ?? 0;
	const end = target.selectionStart === null ? value.length : (target.selectionEnd ?? value.length);
	// A setter that a framework installed on the element would treat this as the page's own change.
	const prototype = target instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
	Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(
		target,
		value.slice(0, start) + text + value.slice(end)
	);
	target.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertText' }));
}

function valueOf(target: Element): string | null {
	return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.value : null;
}

/** Default action of a browser for a key. */
function act(key: string, { shiftKey, isCommand }: { shiftKey: boolean; isCommand: boolean }): void {
	const target = focused();
	if (isCommand) {
		if (key.toLowerCase() === 'a') document.execCommand('selectAll');
		return;
	}
	switch (key) {
		case 'Tab':
			return moveFocus(shiftKey ? -1 : 1);
		case 'Enter':
			return enter(target);
		case 'Backspace':
			return void document.execCommand('delete');
		case 'Delete':
			return void document.execCommand('forwardDelete');
		case 'Escape': {
			const dialog = target.closest('dialog') ?? document.querySelector<HTMLDialogElement>('dialog:modal');
			if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
			return;
		}
		case ' ':
			if (
				target instanceof HTMLElement &&
				target.matches(
					'button, summary, input:is([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset])'
				)
			)
				return target.click();
			return insertText(' ');
		default:
			if (key.startsWith('Arrow')) arrow(target, key);
			else if (key.length === 1) insertText(key);
	}
}

function enter(target: Element): void {
	if (target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable))
		return insertText('\n');
	if (target instanceof HTMLInputElement && target.form && !/^(button|submit|reset|image|file)$/.test(target.type)) {
		const { form } = target;
		const button = [...form.elements].find(
			(each): each is HTMLButtonElement | HTMLInputElement =>
				(each instanceof HTMLButtonElement && each.type === 'submit') ||
				(each instanceof HTMLInputElement && /^(submit|image)$/.test(each.type))
		);
		target.dispatchEvent(new Event('change', { bubbles: true }));
		if (button) return button.click();
		return form.requestSubmit();
	}
	if (target instanceof HTMLElement && target.matches('a[href], button, summary, input')) target.click();
}

function arrow(target: Element, key: string): void {
	const by = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1;
	if (target instanceof HTMLSelectElement && !target.multiple) {
		const next = target.selectedIndex + by;
		if (next < 0 || next >= target.options.length) return;
		target.selectedIndex = next;
	} else if (target instanceof HTMLInputElement && (target.type === 'number' || target.type === 'range')) {
		if ((by === 1) === (key === 'ArrowUp')) target.stepDown();
		else target.stepUp();
	} else if (target instanceof HTMLInputElement && target.type === 'radio') {
		const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
			({ name, form, disabled }) => name === target.name && form === target.form && !disabled
		);
		const next = group.at((group.indexOf(target) + by) % group.length);
		next?.focus();
		return next?.click();
	} else return;
	target.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	target.dispatchEvent(new Event('change', { bubbles: true }));
}

const TABBABLE =
	'a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=""], [contenteditable=true]';

/** Moves the focus for Tab: by `tabindex`, then in document order. */
function moveFocus(by: 1 | -1): void {
	const all = [...document.querySelectorAll<HTMLElement>(TABBABLE)].filter(
		(each) =>
			each.tabIndex >= 0 && !each.matches(':disabled, [inert] *') && each.checkVisibility({ visibilityProperty: true })
	);
	const order = [
		...all.filter(({ tabIndex }) => tabIndex > 0).sort((a, b) => a.tabIndex - b.tabIndex),
		...all.filter(({ tabIndex }) => tabIndex === 0)
	];
	const modal = document.querySelector('dialog:modal');
	const open = modal ? order.filter((each) => modal.contains(each)) : order;
	const current = focused();
	const index = open.indexOf(current as HTMLElement);
	const next = index < 0 ? (by === 1 ? open[0] : open.at(-1)) : open[index + by];
	if (next) next.focus();
	else if (current instanceof HTMLElement) current.blur();
}
