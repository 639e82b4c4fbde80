import type { PreviewMedia } from '#environment/preview.ts';

/** Media features by name, with the value that the page should see. */
type Features = Record<string, string>;

/**
 * Runs inside a displayed document before any script of the project, and makes its style sheets, pictures and scripts
 * see these values for media features: browsers have no API that sets them for a frame. Conditions are rewritten in
 * place to ones that always or never match. Style sheets in shadow trees are not changed.
 *
 * Its source text is sent, so it uses nothing from outside itself.
 *
 * @inOnePiece its text is sent as one function
 */
export function emulateMedia(features: Features): void {
	document.currentScript?.remove();
	const rewritten = (text: string): string =>
		text.replace(/\(\s*(prefers-[a-z-]+)\s*(?::\s*([a-z-]+)\s*)?\)/gi, (whole, name: string, value?: string) => {
			const wanted = features[name.toLowerCase()];
			if (wanted === undefined) return whole;
			const isMet = value === undefined ? wanted !== 'no-preference' : value.toLowerCase() === wanted;
			return isMet ? '(min-width: 0px)' : '(min-width: 10000000px)';
		});
	const rewriteList = (media: MediaList): void => {
		const text = rewritten(media.mediaText);
		if (text !== media.mediaText) media.mediaText = text;
	};
	const rewriteSheet = (sheet: CSSStyleSheet): void => {
		rewriteList(sheet.media);
		let rules: CSSRuleList;
		try {
			rules = sheet.cssRules;
		} catch {
			// A style sheet of another origin does not expose its rules.
			return;
		}
		rewriteRules(rules);
	};
	const rewriteRules = (rules: CSSRuleList): void => {
		for (const rule of Array.from(rules)) {
			if (rule instanceof CSSMediaRule) rewriteList(rule.media);
			if (rule instanceof CSSImportRule && rule.styleSheet) rewriteSheet(rule.styleSheet);
			if ('cssRules' in rule) rewriteRules(rule.cssRules as CSSRuleList);
		}
	};
	const scheme = features['prefers-color-scheme'];
	const rewriteDocument = (): void => {
		for (const sheet of [...Array.from(document.styleSheets), ...document.adoptedStyleSheets]) rewriteSheet(sheet);
		for (const source of Array.from(document.querySelectorAll('source[media]')))
			source.setAttribute('media', rewritten(source.getAttribute('media') ?? ''));
		const root = document.documentElement as HTMLElement | null;
		if (scheme === undefined || !root) return;
		const meta = document.querySelector('meta[name="color-scheme"]')?.getAttribute('content') ?? '';
		// Form controls, the canvas and light-dark() use the scheme only if the page supports it.
		if (`${getComputedStyle(root).colorScheme} ${meta}`.includes(scheme))
			root.style.setProperty('color-scheme', scheme, 'important');
	};
	const match = window.matchMedia.bind(window);
	window.matchMedia = (query) => {
		const text = rewritten(String(query));
		const list = match(text);
		if (text !== String(query)) Object.defineProperty(list, 'media', { value: String(query) });
		return list;
	};
	for (const name of ['insertRule', 'replaceSync'] as const) {
		const original = CSSStyleSheet.prototype[name] as (...given: unknown[]) => unknown;
		Reflect.set(CSSStyleSheet.prototype, name, function (this: CSSStyleSheet, ...given: unknown[]) {
			const result = Reflect.apply(original, this, given);
			rewriteSheet(this);
			return result;
		});
	}
	new MutationObserver(rewriteDocument).observe(document, { subtree: true, childList: true, characterData: true });
	addEventListener('load', rewriteDocument, true);
}

/** Source of the emulation for the top of a displayed document; empty if there is nothing to emulate. */
export function mediaScript(media: PreviewMedia | null): string {
	const features: Features = {
		...(media?.colorScheme ? { 'prefers-color-scheme': media.colorScheme } : {}),
		...(media?.reducedMotion ? { 'prefers-reduced-motion': media.reducedMotion } : {})
	};
	if (Object.keys(features).length === 0) return '';
	return `<script>(${emulateMedia.toString()})(${JSON.stringify(features)})\n//# sourceURL=sandglass-media.js\n</script>`;
}
