export interface Point {
	x: number;
	y: number;
}

export type ButtonName = 'left' | 'right' | 'middle';
const BUTTONS: Readonly<Record<ButtonName, { button: number; buttons: number }>> = {
	left: { button: 0, buttons: 1 },
	right: { button: 2, buttons: 2 },
	middle: { button: 1, buttons: 4 }
};

let over: Element | null = null;

function at({ x, y }: Point): Element {
	let element = document.elementFromPoint(x, y);
	while (element?.shadowRoot) {
		const inner = element.shadowRoot.elementFromPoint(x, y);
		if (!inner || inner === element) break;
		element = inner;
	}
	return element ?? document.documentElement;
}

function common({ x, y }: Point): MouseEventInit & PointerEventInit {
	return {
		bubbles: true,
		cancelable: true,
		composed: true,
		view: window,
		clientX: x,
		clientY: y,
		screenX: x,
		screenY: y,
		pointerId: 1,
		pointerType: 'mouse',
		isPrimary: true
	};
}

/** Dispatches the pointer event and the mouse event of one kind. Returns false if the page canceled one. */
function both(target: Element, kind: 'move' | 'down' | 'up' | 'over' | 'out', init: PointerEventInit): boolean {
	const pointer = target.dispatchEvent(new PointerEvent(`pointer${kind}`, init));
	return target.dispatchEvent(new MouseEvent(`mouse${kind}`, init)) && pointer;
}

/** Moves the pointer, with events for elements that it leaves and enters. */
export function move(point: Point, buttons = 0): Element {
	const target = at(point);
	const init = { ...common(point), buttons };
	if (over !== target) {
		if (over?.isConnected) {
			both(over, 'out', { ...init, relatedTarget: target });
			enterOrLeave('leave', over, target, init);
		}
		both(target, 'over', { ...init, relatedTarget: over });
		enterOrLeave('enter', target, over, init);
		over = target;
	}
	both(target, 'move', init);
	return target;
}

/** These events do not bubble: each ancestor that is left or entered gets its own. */
function enterOrLeave(kind: 'enter' | 'leave', from: Element, other: Element | null, init: PointerEventInit): void {
	const own = { ...init, bubbles: false, cancelable: false, relatedTarget: other };
	for (let each: Element | null = from; each && !(other && each.contains(other)); each = each.parentElement) {
		each.dispatchEvent(new PointerEvent(`pointer${kind}`, own));
		each.dispatchEvent(new MouseEvent(`mouse${kind}`, own));
	}
}

/** Presses a button and moves the focus as a press does, unless the page prevents that. */
export function press(point: Point, name: ButtonName, count: number): Element {
	const target = at(point);
	if (both(target, 'down', { ...common(point), ...BUTTONS[name], detail: count })) focusBy(target);
	return target;
}

/** Releases a button, and clicks if it was pressed on the same element. */
export function release(point: Point, name: ButtonName, count: number, pressed: Element | null): void {
	const target = at(point);
	const init = { ...common(point), ...BUTTONS[name], buttons: 0, detail: count };
	both(target, 'up', init);
	const clicked = pressed && (target.contains(pressed) ? target : pressed.contains(target) ? pressed : null);
	if (!clicked?.isConnected) return;
	if (name === 'left') {
		clicked.dispatchEvent(new PointerEvent('click', init));
		if (count === 2) clicked.dispatchEvent(new MouseEvent('dblclick', init));
	} else {
		clicked.dispatchEvent(new PointerEvent('auxclick', init));
		if (name === 'right') clicked.dispatchEvent(new PointerEvent('contextmenu', init));
	}
}

const FOCUSABLE =
	'a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=""], [contenteditable=true]';

function focusBy(target: Element): void {
	for (let each: Element | null = target; each; each = each.parentElement ?? hostOf(each)) {
		const label = each.closest('label');
		if (label?.control && label.contains(target) && !each.matches(FOCUSABLE)) return;
		if (each instanceof HTMLElement && each.matches(FOCUSABLE) && !each.matches(':disabled')) {
			each.focus({ preventScroll: true });
			return;
		}
	}
	if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

function hostOf(element: Element): Element | null {
	const root = element.getRootNode();
	return root instanceof ShadowRoot ? root.host : null;
}

/** Drags with the pointer, and with drag-and-drop events if the element is draggable. */
export function drag(from: Point, to: Point): void {
	const source = move(from);
	const pressed = press(from, 'left', 1);
	const draggable = source.closest('[draggable=true]');
	const data = new DataTransfer();
	const event = (kind: string, target: Element, point: Point): boolean =>
		target.dispatchEvent(new DragEvent(kind, { ...common(point), dataTransfer: data, buttons: 1 }));
	const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
	if (!draggable || !event('dragstart', draggable, from)) {
		for (const point of [half, to]) move(point, 1);
		return release(to, 'left', 1, pressed);
	}
	for (const point of [half, to]) event('drag', draggable, point);
	const target = at(to);
	event('dragenter', target, to);
	const isTaken = !event('dragover', target, to);
	if (isTaken) event('drop', target, to);
	event('dragend', draggable, to);
}
