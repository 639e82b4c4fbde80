/** Milliseconds to wait for an animation frame: a hidden tab has none. */
const FRAME_MS = 50;

/** Playwright's injected script, set up for this document. */
export const playwright = new SANDGLASS_PLAYWRIGHT(window, {
	isUnderTest: false,
	sdkLanguage: 'javascript',
	frameSeq: 0,
	testIdAttributeName: 'data-testid',
	stableRafCount: 1,
	browserName: 'chromium',
	shouldPrependErrorPrefix: false,
	isUtilityWorld: false,
	customEngines: []
});
playwright.utils.builtins.requestAnimationFrame = (callback) => {
	void nextFrame().then(callback);
	return 0;
};

// In a tab, a frame's own element can be active although the frame does not have the keyboard focus.
playwright._activelyFocused = (node) => {
	const { activeElement } = node.getRootNode() as Document | ShadowRoot;
	return { activeElement, isFocused: activeElement === node };
};

/** Resolves with the next animation frame. */
export function nextFrame(): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, FRAME_MS);
		requestAnimationFrame(() => {
			clearTimeout(timer);
			resolve();
		});
	});
}

/** Elements that a selector matches. @throws Error if it is invalid */
export function elementsOf(selector: string): Element[] {
	return playwright.querySelectorAll(playwright.parseSelector(selector), document);
}

/** Element for a snapshot's ref or a selector; `null` if there is none. @throws Error if there are several */
export function find(on: string): Element | null {
	const selector = playwright.parseSelector(/^e\d+$/.test(on) ? `aria-ref=${on}` : on);
	const found = playwright.querySelectorAll(selector, document);
	if (found.length > 1) throw playwright.strictModeViolationError(selector, found);
	return found[0] ?? null;
}
