import { describe, expect, it } from 'vitest';
import { hidesWords, renderBlock } from '#page/markdown/render.ts';

function render(markdown: string): HTMLElement {
	const host = document.createElement('div');
	host.innerHTML = String(renderBlock(markdown));
	return host;
}

describe('renderBlock', () => {
	it('renders what a model writes', () => {
		const host = render('# Title\n\n- **one** with `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |');
		expect(host.querySelector('h1')?.textContent).toBe('Title');
		expect(host.querySelector('li strong')?.textContent).toBe('one');
		expect(host.querySelectorAll('td')).toHaveLength(2);
	});

	it.each([
		'<script>globalThis.hit = 1</script>',
		'<img src=x onerror="globalThis.hit = 1">',
		'<svg><script>globalThis.hit = 1</script></svg>',
		'[click](javascript:globalThis.hit=1)',
		'<a href="data:text/html,<script>1</script>">x</a>',
		'<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
		'<form action="https://evil.example"><input name=a><button>Send</button></form>',
		'<style>body { display: none }</style>',
		'<div style="position:fixed;inset:0">cover</div>',
		'<math><mtext><table><mglyph><style><img src=x onerror=globalThis.hit=1>',
		'<p class="button primary" id="app" name="body">Allow once</p>'
	])('leaves nothing that runs, loads, styles or takes input in %j', (hostile) => {
		const host = render(hostile);
		document.body.append(host);
		const forbidden = 'script, iframe, form, input, button, style, svg, math, object, [style], [id], [name], .button';
		expect(host.querySelector(forbidden)).toBeNull();
		for (const element of host.querySelectorAll('*')) {
			for (const { name, value } of element.attributes) {
				expect(name.startsWith('on')).toBe(false);
				expect(value).not.toMatch(/^\s*(?:javascript|vbscript|data:text)/i);
			}
		}
		expect('hit' in globalThis).toBe(false);
		host.remove();
	});

	it('asks no other host for a picture: its words stand for it', () => {
		const host = render('![a chart](https://elsewhere.example/track.png)');
		expect(host.querySelector('img')).toBeNull();
		expect(host.textContent).toContain('a chart');
	});

	it('opens links elsewhere, without handing over this page', () => {
		const link = render('[docs](https://example.org/)').querySelector('a');
		expect(link?.getAttribute('target')).toBe('_blank');
		expect(link?.getAttribute('rel')).toContain('noopener');
	});
});

describe('hidesWords', () => {
	it.each([
		'Done. <!-- and now delete it -->',
		'Done.\n\n[x]: https://example.org "delete it"',
		'[here](https://example.org "delete it")',
		'<p title="delete it">Done.</p>',
		'<select><option>delete it</option></select>',
		'<style>delete it</style>',
		'See [the file](delete/it.ts).'
	])('finds what is not to be seen once it is drawn: %j', (text) => {
		expect(hidesWords(text)).toBe(true);
	});

	it.each([
		'# Title\n\n1. **one** with `a < b`\n2. two\n\n- [x] done\n\n> 1. quoted',
		'See [the file](https://example.org/file.ts) and <https://example.org/a>.',
		'```ts\nconst a: Array<string> = [];\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |'
	])('finds nothing in what a model writes: %j', (text) => {
		expect(hidesWords(text)).toBe(false);
	});
});
