import { expect, it } from 'vitest';
import { isFailedRequest, previewLogText } from '#agent/tools/preview-log-text.ts';
import type { PreviewLogEntry } from '#environment/preview.ts';

const entry = (kind: PreviewLogEntry['kind'], text: string, rest: Partial<PreviewLogEntry> = {}): PreviewLogEntry => ({
	id: 1,
	kind,
	text,
	place: '',
	count: 1,
	...rest
});
const got = (target: string, status = 200): PreviewLogEntry => entry('request', `GET ${target} → ${status} (3 ms)`);

it('tells in one line of the many modules that a development server sends, and shows what else happened', () => {
	const text = previewLogText([
		got('/'),
		got('/@vite/client'),
		got('/src/main.tsx?t=1'),
		got('/node_modules/.vite/deps/react.js?v=8', 304),
		got('/src/App.css'),
		entry('log', 'ready'),
		got('/api/notes'),
		got('/src/broken.ts', 500),
		entry('error', 'x is not defined', { place: 'src/App.tsx:1:2', count: 2 })
	]);
	expect(text.split('\n')).toEqual([
		'request: GET / → 200 (3 ms)',
		'request: 4 scripts, styles and other files arrived, from /@vite/client to /src/App.css',
		'log: ready',
		'request: GET /api/notes → 200 (3 ms)',
		'request: GET /src/broken.ts → 500 (3 ms)',
		'error: x is not defined (src/App.tsx:1:2) [2 times]'
	]);
});

it('shows few of them as they are', () => {
	expect(previewLogText([got('/a.js'), got('/b.css'), got('/c.svg')])).toBe(
		'request: GET /a.js → 200 (3 ms)\nrequest: GET /b.css → 200 (3 ms)\nrequest: GET /c.svg → 200 (3 ms)'
	);
});

it('never hides a request that failed, was no GET, or was redirected', () => {
	const shown = [got('/a.js', 404), got('/b.js', 302), entry('request', 'POST /c.js → 200 (1 ms)')];
	const lines = previewLogText([got('/1.js'), got('/2.js'), ...shown, got('/3.js'), got('/4.js')]).split('\n');
	expect(lines).toHaveLength(7);
	expect(previewLogText([])).toBe('');
});

it.each([
	[got('/a', 404), true],
	[got('/a', 503), true],
	[entry('request', 'GET /a → no answer (9 ms)'), true],
	[got('/a', 301), false],
	[entry('log', 'GET /a → 500 (1 ms)'), false]
])('knows a failed request: %j', (given, isFailed) => {
	expect(isFailedRequest(given)).toBe(isFailed);
});

it('takes each kind of file that a page loads by itself for one, and nothing else', () => {
	const endings =
		'js mjs cjs jsx ts tsx svelte vue astro css scss sass less map wasm png jpg jpeg gif webp avif svg ico';
	const files = [...`${endings} woff woff2 ttf PNG`.split(' ').map((ending) => `/a.${ending}`), '/a.js?b.html'];
	const served = ['/@id/x', '/node_modules/a', '/_next/static/a', '/_nuxt/a'];
	for (const target of [...files, ...served])
		expect(previewLogText([got('/1.js'), got(target), got('/2.js'), got('/3.js')])).toBe(
			'request: 4 scripts, styles and other files arrived, from /1.js to /3.js'
		);
	const others = ['/a.json', '/a.js.html', '/ajs', '/a?b=.js', '/api/node_modules/a', '/api/_next/static/a', '/a.jss'];
	const shown = [
		...others.map((target) => got(target)),
		entry('log', 'GET /a.js → 200 (1 ms)'),
		entry('request', 'BUDGET /a.js → 200 (1 ms)')
	];
	for (const each of shown)
		expect(previewLogText([got('/1.js'), got('/2.js'), got('/3.js'), each]).split('\n')).toHaveLength(4);
});
