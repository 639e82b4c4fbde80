import { createContext, domToPng } from 'modern-screenshot';
import { contentOutOfView } from './out-of-view.ts';
import { plainStyles } from './plain-styles.ts';

/** Maximum pixels per side that a browser's canvas and a model accept. */
const MOST_SIDE = 8_000;
const TIMEOUT_MS = 8_000;
const CLEAR = 'rgba(0, 0, 0, 0)';

/** Registers the drawing function with the driver, which is loaded earlier. */
SANDGLASS_HOST.draw = async (element, isFull) => {
	const area = element ? boxOf(element) : pageArea(isFull);
	const width = Math.min(MOST_SIDE, Math.max(1, Math.ceil(area.width)));
	const height = Math.min(MOST_SIDE, Math.max(1, Math.ceil(area.height)));
	const context = await createContext(element ?? document.documentElement, {
		width,
		height,
		scale: 1,
		backgroundColor: background(element),
		timeout: TIMEOUT_MS,
		autoDestruct: true,
		features: { restoreScrollPosition: !isFull },
		...(element ? {} : { onCloneEachNode: placed(isFull) }),
		...(element || isFull ? {} : { filter: contentOutOfView() })
	});
	context.sandbox = plainStyles();
	const png = await domToPng(context);
	return { png, width, height, notes: notes(element ?? document.documentElement, area) };
};

function boxOf(element: Element): { width: number; height: number } {
	const { width, height } = element.getBoundingClientRect();
	return { width, height };
}

function pageArea(isFull: boolean): { width: number; height: number } {
	const { scrollWidth, scrollHeight } = document.documentElement;
	return isFull ? { width: scrollWidth, height: scrollHeight } : { width: innerWidth, height: innerHeight };
}

/** Background of the page: that of the element's closest ancestor that has one, or of the body if the root has none. */
function background(element: Element | null): string {
	const { documentElement, body } = document;
	const behind: Element[] = [];
	for (let each = element; each; each = each.parentElement) behind.push(each);
	behind.push(documentElement, ...(body ? [body] : []));
	const found = behind.map((each) => getComputedStyle(each).backgroundColor).find((colour) => colour !== CLEAR);
	return found ?? '#fff';
}

/**
 * Corrects positions that differ in the copy of the page: fixed elements of a scrolled page, which would scroll in the
 * copy, and the backdrop of a modal dialog, which only the page itself has.
 */
function placed(isFull: boolean): (clone: Node) => void {
	const isScrolled = !isFull && (scrollX !== 0 || scrollY !== 0);
	const body = document.body.getBoundingClientRect();
	const fixed = isScrolled
		? [...document.body.querySelectorAll('*')]
				.filter((each) => getComputedStyle(each).position === 'fixed')
				.map((each) => each.getBoundingClientRect())
		: [];
	const modal = document.querySelector('dialog:modal');
	const backdrop = modal && getComputedStyle(modal, '::backdrop').backgroundColor;
	return (clone) => {
		if (!(clone instanceof HTMLElement) || clone.style.position !== 'fixed') return;
		const { style } = clone;
		const box = fixed.shift();
		if (box)
			Object.assign(style, {
				...{ left: `${box.left - body.left}px`, top: `${box.top - body.top}px`, right: 'auto', bottom: 'auto' },
				...{ width: `${box.width}px`, height: `${box.height}px`, margin: '0', boxSizing: 'border-box' }
			});
		if (!backdrop || clone.localName !== 'dialog') return;
		const shadows = [style.boxShadow, `0 0 0 200vmax ${backdrop}`].filter((each) => each !== '' && each !== 'none');
		Object.assign(style, { zIndex: '2147483647', boxShadow: shadows.join(', ') });
	};
}

/** Missing parts of the picture, one sentence each. */
function notes(root: Element, area: { width: number; height: number }): string[] {
	const has = (selector: string): boolean => root.matches(selector) || root.querySelector(selector) !== null;
	const gaps: string[] = [];
	if (has('video')) gaps.push('Videos may be missing.');
	if (has('iframe, object, embed')) gaps.push('Frames inside the page may be missing.');
	if (Math.max(area.width, area.height) > MOST_SIDE) gaps.push(`It is cut at ${MOST_SIDE} pixels.`);
	const isScrolled =
		scrollY > 0 && [...root.querySelectorAll('*')].some((each) => getComputedStyle(each).position === 'sticky');
	if (isScrolled) gaps.push('Sticky elements are drawn where they are without scrolling.');
	return gaps;
}
