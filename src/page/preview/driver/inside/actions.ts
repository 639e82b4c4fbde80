import type { PreviewStep } from '#environment/preview.ts';
import type { TestStep } from '#environment/preview-testing.ts';
import { chooseFiles } from './upload.ts';
import { insertText, pressKey, typeText } from './keyboard.ts';
import { find, nextFrame, playwright } from './playwright.ts';
import { drag, move, press, release, type Point } from './pointer.ts';

/**
 * Performs one step, waiting as Playwright does until the element exists and is ready.
 * @throws Error that names the missing condition at the time limit
 */
export async function takeStep(step: TestStep, withinMs: number): Promise<void> {
	const until = performance.now() + withinMs;
	switch (step.kind) {
		case 'click': {
			const { button = 'left', count = 1 } = step;
			const point = await clickable(step.on, until);
			move(point);
			for (let each = 1; each <= count; each++) release(point, button, each, press(point, button, each));
			return;
		}
		case 'hover':
			return void move(await clickable(step.on, until, ['visible', 'stable']));
		case 'check':
		case 'uncheck':
			return check(step.on, step.kind === 'check', until);
		case 'fill':
			return fill(step.on, step.text, until);
		case 'type':
			if (step.on !== undefined) await focus(step.on, until);
			return typeText(step.text);
		case 'press':
			if (step.on !== undefined) await focus(step.on, until);
			return pressKey(step.key);
		case 'focus':
			return focus(step.on, until);
		case 'select':
			return select(step.on, step.values, until);
		case 'drag': {
			const to = await ready(step.to, ['visible'], until);
			const from = await clickable(step.on, until);
			return drag(from, centre(to));
		}
		case 'scroll':
			return scroll(step, until);
		case 'wait_for':
			return void (await waitFor(step, until));
		case 'upload':
			return chooseFiles(await ready(step.on, [], until), step.files);
		case 'answer':
			return void SANDGLASS_HOST.answers.splice(0, Infinity, ...step.answers);
		case 'dialog':
			SANDGLASS_HOST.answers.push({ accept: step.accept, text: step.text });
	}
}

/**
 * Tries again on each animation frame until it returns a value. @throws Error with the last reason at the time limit
 */
async function poll<Value>(
	until: number,
	attempt: () => Promise<Value | string> | Value | string
): Promise<Exclude<Value, string>> {
	for (;;) {
		const result = await attempt();
		if (typeof result !== 'string') return result as Exclude<Value, string>;
		if (performance.now() > until) throw new Error(result);
		await nextFrame();
	}
}

type States = Parameters<typeof playwright.checkElementStates>[1];

/** Waits until the element has the states, and scrolls it into view. */
function ready(on: string, states: States, until: number): Promise<Element> {
	return poll<Element>(until, async () => {
		const element = find(on);
		if (!element) return `There is no element ${on} on the page now. Take a snapshot to see what there is.`;
		element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
		const missing = await playwright.checkElementStates(element, states, true);
		if (missing === 'error:notconnected') return `The element ${on} was removed from the page.`;
		return missing ? `The element ${on} (${playwright.previewNode(element)}) is not ${missing.missingState}.` : element;
	});
}

/** Waits for a point of the element that nothing covers. */
function clickable(on: string, until: number, states: States = ['visible', 'enabled', 'stable']): Promise<Point> {
	return poll<Point>(until, async () => {
		const element = await ready(on, states, until);
		const point = centre(element);
		const { innerWidth, innerHeight } = window;
		if (point.x < 0 || point.y < 0 || point.x > innerWidth || point.y > innerHeight)
			return `The element ${on} is outside of the page's visible area and cannot be scrolled into it.`;
		const hit = playwright.expectHitTarget(point, playwright.retarget(element, 'button-link') ?? element);
		if (hit === 'done') return point;
		return `${hit.hitTargetDescription} covers the element ${on}, so a click would not reach it.`;
	});
}

function centre(element: Element): Point {
	const [rectangle = element.getBoundingClientRect()] = [...element.getClientRects()].filter(
		({ width, height }) => width > 0 && height > 0
	);
	return { x: rectangle.left + rectangle.width / 2, y: rectangle.top + rectangle.height / 2 };
}

async function focus(on: string, until: number): Promise<void> {
	playwright.focusNode(await ready(on, ['visible'], until));
}

async function fill(on: string, text: string, until: number): Promise<void> {
	const element = await ready(on, ['visible', 'enabled', 'editable'], until);
	if (playwright.fill(element, text) === 'needsinput') insertText(text);
}

async function check(on: string, wanted: boolean, until: number): Promise<void> {
	const state = async (): Promise<boolean> =>
		playwright.elementState(await ready(on, ['visible'], until), 'checked', true).matches;
	if ((await state()) === wanted) return;
	const point = await clickable(on, until);
	move(point);
	release(point, 'left', 1, press(point, 'left', 1));
	if ((await state()) !== wanted) throw new Error(`Clicking ${on} did not change whether it is checked.`);
}

async function select(on: string, values: readonly string[], until: number): Promise<void> {
	await poll<object>(until, async () => {
		const element = await ready(on, ['visible', 'enabled'], until);
		const result = playwright.selectOptions(
			element,
			values.map((valueOrLabel) => ({ valueOrLabel }))
		);
		return typeof result === 'string' ? `${on} has no such option that is enabled: ${values.join(', ')}.` : {};
	});
}

async function scroll({ on, x, y }: Extract<PreviewStep, { kind: 'scroll' }>, until: number): Promise<void> {
	const element = on === undefined ? document.scrollingElement : await ready(on, ['visible'], until);
	const target = element ?? document.documentElement;
	const init = { bubbles: true, cancelable: true, view: window, deltaX: x, deltaY: y };
	if (target.dispatchEvent(new WheelEvent('wheel', init))) target.scrollBy({ left: x, top: y, behavior: 'instant' });
	await nextFrame();
}

function waitFor(
	{ on, text, gone = false }: Extract<PreviewStep, { kind: 'wait_for' }>,
	until: number
): Promise<object> {
	const selector = on ?? `internal:text=${JSON.stringify(text ?? '')}i`;
	return poll<object>(until, () => {
		const [first] = playwright.querySelectorAll(
			playwright.parseSelector(/^e\d+$/.test(selector) ? `aria-ref=${selector}` : selector),
			document
		);
		const isThere = first !== undefined && playwright.elementState(first, 'visible', true).matches;
		if (isThere !== gone) return {};
		return gone ? `${selector} is still displayed.` : `${selector} was not displayed in time.`;
	});
}
