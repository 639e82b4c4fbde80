/** Scroll position to restore after a reload. CSS pixels. */
export interface ScrollState {
	x: number;
	y: number;
}

/**
 * Runs inside a displayed document before any other script: reports its console output, errors and clicked links to the
 * page. Its source text is sent, so it uses nothing from outside itself.
 */
export function observe(scroll: ScrollState): void {
	const MAX_TEXT = 10_000;
	const parentWindow = window.parent;
	const post = parentWindow.postMessage.bind(parentWindow);
	const send = (report: object): void => post({ sandglassPreview: report }, '*');
	const isClosed = window.origin === 'null';

	const show = (value: unknown, depth: number, seen: unknown[]): string => {
		if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value);
		if (typeof value === 'bigint') return `${value}n`;
		if (typeof value === 'function') return `ƒ ${value.name || 'anonymous'}`;
		if (typeof value !== 'object' || value === null) return String(value);
		if (value instanceof Error) return value.stack?.includes(value.message) ? value.stack : String(value);
		if (value instanceof Element) return (value.cloneNode() as Element).outerHTML;
		if (seen.includes(value)) return '[circular]';
		if (value instanceof Date || value instanceof RegExp) return String(value);
		const name = value.constructor?.name ?? 'Object';
		if (depth > 3) return Array.isArray(value) ? '[…]' : `${name} {…}`;
		const within = [...seen, value];
		const item = (each: unknown): string => show(each, depth + 1, within);
		const some = <T>(all: T[], put: (each: T) => string): string =>
			all.slice(0, 100).map(put).join(', ') + (all.length > 100 ? `, … ${all.length - 100} more` : '');
		if (Array.isArray(value)) return `[${some(value, item)}]`;
		if (value instanceof Set) return `Set(${value.size}) {${some([...value], item)}}`;
		const pairs = value instanceof Map ? [...value] : Object.entries(value);
		const body = some(pairs, ([key, each]) => `${typeof key === 'string' ? key : item(key)}: ${item(each)}`);
		if (value instanceof Map) return `Map(${value.size}) {${body}}`;
		return `${name === 'Object' ? '' : `${name} `}{${body === '' ? '' : ` ${body} `}}`;
	};
	const text = (value: unknown, depth = 0): string => {
		try {
			return show(value, depth, []).slice(0, MAX_TEXT);
		} catch (error) {
			return `[cannot be shown: ${String(error)}]`;
		}
	};
	/** Applies `%s` and similar, then appends the rest separated by spaces. */
	const format = (given: unknown[]): string => {
		const rest = [...given];
		if (typeof rest[0] !== 'string') return rest.map((each) => text(each)).join(' ');
		const pattern = String(rest.shift());
		const filled = pattern.replace(/%([sdifoOc%])/g, (whole, kind: string) => {
			if (kind === '%') return '%';
			if (rest.length === 0) return whole;
			const value = rest.shift();
			if (kind === 'c') return '';
			return kind === 'd' || kind === 'i' ? String(Math.trunc(Number(value))) : text(value);
		});
		return [filled, ...rest.map((each) => text(each))].join(' ');
	};

	const print = (level: string, given: unknown[]): void =>
		send({ type: 'console', level, text: format(given).slice(0, MAX_TEXT), stack: new Error().stack ?? '' });
	const replaced: Record<string, (...given: unknown[]) => void> = {};
	for (const level of ['log', 'info', 'warn', 'error', 'debug']) replaced[level] = (...given) => print(level, given);
	replaced['dir'] = replaced['table'] = (value) => print('log', [value]);
	replaced['trace'] = (...given) => print('log', [...given, `\n${new Error().stack?.split('\n').slice(2).join('\n')}`]);
	replaced['assert'] = (holds, ...given) => {
		if (!holds) print('error', ['Assertion failed:', ...given]);
	};
	Object.assign(console, replaced);

	addEventListener(
		'error',
		(event) => {
			const { target } = event;
			if (target instanceof Element) {
				const address = target.getAttribute('src') ?? target.getAttribute('href') ?? '';
				if (address !== '' && !address.startsWith('data:'))
					send({ type: 'error', text: `<${target.localName}> could not load ${address}`.slice(0, 2000), stack: '' });
				return;
			}
			const error: unknown = event.error;
			const stack = error instanceof Error ? error.stack : `at ${event.filename}:${event.lineno}:${event.colno}`;
			send({ type: 'error', text: event.message.slice(0, MAX_TEXT), stack: stack ?? '' });
		},
		true
	);
	addEventListener('unhandledrejection', ({ reason }) => {
		const stack: unknown = reason instanceof Error ? reason.stack : '';
		send({ type: 'error', text: `Uncaught (in promise) ${text(reason).split('\n')[0]}`, stack: stack ?? '' });
	});
	addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
		send({ type: 'blocked', address: blockedURI.slice(0, 2000), directive: effectiveDirective });
	});
	addEventListener('message', ({ source, data }) => {
		if (source === parentWindow && data === 'sandglass:there?') send({ type: 'here' });
	});

	addEventListener('click', (event) => {
		if (event.defaultPrevented || event.button !== 0) return;
		const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
		const href = link?.getAttribute('href');
		if (!link || href === null || href === undefined || href.startsWith('#') || /^javascript:/i.test(href)) return;
		const isHere = !isClosed && link.origin === location.origin;
		if (isHere && (link.target === '' || link.target === '_self')) return;
		event.preventDefault();
		if (isHere) location.href = link.href;
		else send({ type: 'link', href: href.slice(0, 2000) });
	});
	if (isClosed)
		addEventListener('submit', (event) => {
			if (event.defaultPrevented) return;
			event.preventDefault();
			const form = event.target instanceof HTMLFormElement ? event.target.getAttribute('action') : '';
			send({ type: 'form', action: (form ?? '').slice(0, 2000) });
		});

	let waiting = 0;
	addEventListener('scroll', () => {
		waiting ||= window.setTimeout(() => {
			waiting = 0;
			send({ type: 'scroll', x: window.scrollX, y: window.scrollY });
		}, 100);
	});
	const isBlank = (): boolean =>
		!document.body ||
		(document.body.innerText.trim() === '' &&
			!document.body.querySelector('img, svg, canvas, video, audio, iframe, input, button, textarea, select, object'));
	addEventListener('load', () => {
		if (scroll.x !== 0 || scroll.y !== 0) window.scrollTo(scroll.x, scroll.y);
		const tell = (): void =>
			send({
				type: 'loaded',
				title: document.title.slice(0, 300),
				address: isClosed ? '' : location.pathname + location.search + location.hash,
				isBlank: isBlank()
			});
		tell();
		if (!isBlank()) return;
		const changes = new MutationObserver(() => {
			if (isBlank()) return;
			changes.disconnect();
			tell();
		});
		changes.observe(document, { childList: true, subtree: true, characterData: true });
	});
	document.currentScript?.remove();
}

/** Script name that lets stack lines of the observer itself be filtered out. */
export const OBSERVER_NAME = 'sandglass-preview.js';

/** Source of the observer for the top of a displayed document. */
export function observerScript(scroll: ScrollState = { x: 0, y: 0 }): string {
	const { x, y } = scroll;
	return `<script>(${observe.toString()})(${JSON.stringify({ x, y })})\n//# sourceURL=${OBSERVER_NAME}\n</script>`;
}
