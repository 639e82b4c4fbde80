import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreviewActed, PreviewMedia, PreviewShot, PreviewStep } from '#environment/preview.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { agentIs, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const use = (args: Record<string, unknown>): ScenarioTurn => ({ toolCalls: [{ name: 'preview', arguments: args }] });
const command = (line: string): ScenarioTurn => ({
	toolCalls: [{ name: 'shell', arguments: { command: line, run_in_background: true } }]
});

/** The agent builds, looks, finds its mistake and fixes it. */
const TURNS: ScenarioTurn[] = [
	command('node server.cjs'),
	{
		toolCalls: [
			{
				name: 'shell',
				arguments: { command: 'until curl -sf http://localhost:4500 > /dev/null; do sleep 0.1; done' }
			}
		]
	},
	{ toolCalls: [{ name: 'read_file', arguments: { path: 'index.html' } }] },
	use({ action: 'open', port: 4500 }),
	use({ action: 'snapshot' }),
	use({ action: 'act', steps: [{ kind: 'click', on: 'role=button' }] }),
	{
		toolCalls: [
			{
				name: 'edit_file',
				arguments: { path: 'index.html', old_string: 'count.textContet', new_string: 'count.textContent' }
			}
		]
	},
	use({ action: 'act', steps: [{ kind: 'click', on: 'role=button' }] }),
	use({ action: 'screenshot' }),
	{ text: 'Mended.' }
];

let models: ModelServer;
let world: World;
/** Each test opens a separate project in it. */
let page: Page;
beforeAll(async () => {
	models = await startModelServer({ name: 'eyes', turns: TURNS });
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test-0123456789', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	page.setDefaultTimeout(90_000);
	await page.goto(world.url);
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const importFiles = (files: Record<string, string>): Promise<void> =>
	page.evaluate((given) => window.sandglass!.importRepository({ files: given }), files);

/** Does what the agent's tool `preview` does for `open`, on a document or a port. */
const open = (target: { path: string } | { port: number }, url?: string) =>
	page.evaluate(
		([to, address]) => window.sandglass!.preview!.open({ target: to, url: address }, new AbortController().signal),
		[target, url] as const
	);
const snapshot = async (selector?: string): Promise<string> =>
	(await page.evaluate((on) => window.sandglass!.preview!.snapshot(on, new AbortController().signal), selector)).tree;
const act = (...steps: PreviewStep[]): Promise<PreviewActed> =>
	page.evaluate((given) => window.sandglass!.preview!.act(given, new AbortController().signal), steps);
const evaluate = (script: string): Promise<string> =>
	page.evaluate((text) => window.sandglass!.preview!.evaluate(text, new AbortController().signal), script);
const logs = (since = 0) => page.evaluate((from) => window.sandglass!.preview!.logs(from), since);
const failure = (work: Promise<unknown>): Promise<string> =>
	work.then(
		() => 'it did not fail',
		(error: Error) => error.message
	);

const FORM = `<!doctype html><title>Shop</title><h1>Order</h1>
<form id="order"><label>Name <input name="name" required></label><label>Size <select name="size"><option>Small<option>Large</select></label>
<label><input type="checkbox" name="gift"> As a gift</label><label>Note <textarea name="note"></textarea></label><button>Send</button></form>
<p id="out"></p><button id="gone" onclick="this.remove()">Remove me</button><button disabled>Never</button>
<div style="height: 2000px"></div><button id="low" onclick="out.textContent = 'low'">Far down</button>
<script>
order.onsubmit = (event) => { event.preventDefault(); out.textContent = JSON.stringify(Object.fromEntries(new FormData(order))); console.log('sent', order.elements.name.value); };
document.addEventListener('keydown', (event) => { if (event.key === 'k' && event.ctrlKey) out.textContent = 'short cut'; });
</script>`;

describe('the agent looks at a document and uses it', () => {
	beforeAll(async () => {
		await importFiles({ 'index.html': FORM });
	});

	it('as an accessibility tree with refs, and fills, picks, checks, types and sends a form by them', async () => {
		const opened = await open({ path: 'index.html' });
		expect(opened).toMatchObject({ title: 'Shop', isLoaded: true });
		expect(await page.getByRole('tab', { name: 'Preview' }).getAttribute('aria-selected')).toBe('true');
		const tree = await snapshot();
		const ref = (name: string): string =>
			new RegExp(`${name}[^\\n]*\\[ref=(e\\d+)\\]`).exec(tree)?.[1] ?? `no ${name} in ${tree}`;
		expect(tree).toContain('heading "Order" [level=1]');
		const {
			done,
			failure: why,
			tree: after
		} = await act(
			{ kind: 'fill', on: ref('textbox "Name"'), text: 'Ada' },
			{ kind: 'select', on: ref('combobox "Size"'), values: ['Large'] },
			{ kind: 'check', on: ref('checkbox "As a gift"') },
			{ kind: 'type', on: ref('textbox "Note"'), text: 'Hi\nyou' },
			{ kind: 'click', on: ref('button "Send"') }
		);
		expect(why).toBeUndefined();
		expect(done).toBe(5);
		expect(after).toContain(
			'{\\"name\\":\\"Ada\\",\\"size\\":\\"Large\\",\\"gift\\":\\"on\\",\\"note\\":\\"Hi\\\\nyou\\"}'
		);
		await expect.poll(async () => (await logs()).entries.map(({ text }) => text)).toContain('sent Ada');
	});

	it('with keys, far elements and selectors, and says what was missing of a step', async () => {
		await open({ path: 'index.html' });
		const first = await act(
			{ kind: 'fill', on: 'input[name=name]', text: 'Bo' },
			{ kind: 'press', key: 'Enter' },
			{ kind: 'wait_for', text: '"name":"Bo"' },
			{ kind: 'press', key: 'Control+k' },
			{ kind: 'wait_for', text: 'short cut' },
			{ kind: 'click', on: 'role=button[name="Far down"]' },
			{ kind: 'wait_for', text: 'low' }
		);
		expect(first).toMatchObject({ done: 7 });
		expect(await evaluate('document.querySelector("#out").textContent')).toBe('"low"');
		const disabled = await act({ kind: 'click', on: 'text=Never' }, { kind: 'click', on: '#gone' });
		expect(disabled).toMatchObject({ done: 0 });
		expect(disabled.failure).toContain('is not enabled');
		expect((await act({ kind: 'click', on: '#gone' })).tree).not.toContain('Remove me');
		expect(await failure(evaluate('missing.value'))).toContain('missing is not defined');
		const { last } = await logs();
		expect(await evaluate('const a = 40; return a + 2;')).toBe('42');
		expect((await logs(last)).entries).toEqual([]);
	});

	it('from one call to the next with the focus where it was, while the user types elsewhere', async () => {
		await importFiles({
			'index.html': `<!doctype html><input id="a"><input id="b"><p id="out"></p><script>for (const type of ['focus', 'blur']) b.addEventListener(type, () => out.textContent += type + ' ')</script>`
		});
		await open({ path: 'index.html' });
		const message = page.getByRole('textbox', { name: 'Message', exact: true });
		await message.focus();
		await act({ kind: 'press', key: 'Tab' });
		await act({ kind: 'press', key: 'Tab' });
		expect(await evaluate('document.activeElement.id')).toBe('"b"');
		await expect.poll(() => message.evaluate((element) => document.activeElement === element)).toBe(true);
		await act({ kind: 'type', text: 'typed' });
		expect(await evaluate('[b.value, out.textContent]')).toBe('["typed","focus "]');
		await expect.poll(() => message.evaluate((element) => document.activeElement === element)).toBe(true);
		await importFiles({ 'index.html': FORM });
	});

	it('as it is after a change of a file, without a wait', async () => {
		await open({ path: 'index.html' });
		await page.evaluate(() =>
			window.sandglass!.environment!.writeFile('index.html', '<!doctype html><h1>Changed</h1>')
		);
		expect(await snapshot()).toContain('heading "Changed"');
		await page.evaluate((text) => window.sandglass!.environment!.writeFile('index.html', text), FORM);
	});

	it('at another size, and while another surface is in front', async () => {
		await open({ path: 'index.html' });
		await page.evaluate(() =>
			window.sandglass!.preview!.resize({ width: 390, height: 844 }, new AbortController().signal)
		);
		expect(await evaluate('[innerWidth, innerHeight]')).toBe('[390,844]');
		await page.getByRole('tab', { name: 'Files' }).click();
		expect(await act({ kind: 'click', on: '#low' })).toMatchObject({ done: 1 });
		expect(await evaluate('innerWidth')).toBe('390');
	});

	it('at a size that is set while another surface is in front, a document and a server', async () => {
		const resize = (width: number) =>
			page.evaluate(
				(to) => window.sandglass!.preview!.resize({ width: to, height: 700 }, new AbortController().signal),
				width
			);
		await open({ path: 'index.html' });
		await page.getByRole('tab', { name: 'Changes' }).click();
		await resize(400);
		expect(await evaluate('[innerWidth, innerHeight]')).toBe('[400,700]');
		await page.evaluate(() =>
			window.sandglass!.environment!.start('python3 -m http.server 4510 > /dev/null').then(() => {})
		);
		// Python starts for the first time here, which takes longer than the agent's tool waits for a server.
		await page.waitForFunction(() => window.sandglass!.environment!.loopback!.ports.some(({ port }) => port === 4510));
		await open({ port: 4510 });
		await page.getByRole('tab', { name: 'Changes' }).click();
		await resize(410);
		expect(await evaluate('[innerWidth, innerHeight]')).toBe('[410,700]');
		await resize(1_200);
		expect(await evaluate('[innerWidth, innerHeight]')).toBe('[1200,700]');
	});
});

const THEMED = `<!doctype html><title>Themed</title><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="dark.css" media="(prefers-color-scheme: dark)">
<style>p { color: rgb(1, 1, 1); transition: opacity 1s } b { color: light-dark(rgb(5, 5, 5), rgb(6, 6, 6)) }
@media not (prefers-color-scheme: dark) { i { color: rgb(7, 7, 7) } } @media (prefers-reduced-motion) { p { transition: none } }</style>
<p>Text</p><b>Bold</b><i>Slanted</i><u>Late</u>
<script>
const list = matchMedia('(prefers-color-scheme: dark)');
document.title = list.matches + ' ' + list.media;
document.styleSheets[document.styleSheets.length - 1].insertRule('@media (prefers-color-scheme: dark) { u { color: rgb(8, 8, 8) } }');
</script>`;
const COLOURS = `[...document.querySelectorAll('p, b, i, u')].map((element) => getComputedStyle(element).color.match(/\\d+/)[0]).join() + ' ' + getComputedStyle(document.querySelector('p')).transitionDuration`;

it('looks at a page as users with other preferences have it, until the user takes over', async () => {
	await importFiles({ 'index.html': THEMED, 'dark.css': 'p { color: rgb(2, 2, 2) !important }' });
	const emulate = (media: PreviewMedia | null) =>
		page.evaluate((given) => window.sandglass!.preview!.emulate(given, new AbortController().signal), media);
	await open({ path: 'index.html' });
	// The tests' browser is made to prefer reduced motion, which it restores shortly after a frame's new document.
	const asTheBrowserHasIt = () => expect.poll(() => evaluate(COLOURS)).toBe('"1,5,7,0 0s"');
	await asTheBrowserHasIt();
	expect(await emulate({ colorScheme: 'dark', reducedMotion: 'no-preference' })).toMatchObject({
		title: 'true (prefers-color-scheme: dark)'
	});
	expect(await evaluate(COLOURS)).toBe('"2,6,255,8 1s"');
	await open({ path: 'index.html' });
	expect(await evaluate(COLOURS)).toBe('"2,6,255,8 1s"');
	await emulate({ colorScheme: 'light' });
	await asTheBrowserHasIt();
	await emulate({ colorScheme: 'dark' });
	await page.getByRole('button', { name: 'Close the document' }).click();
	await page.getByRole('button', { name: 'Show preview' }).click();
	await asTheBrowserHasIt();
});

it('chooses files of the project in an input, and none from elsewhere', async () => {
	await importFiles({
		'index.html':
			'<!doctype html><input type="file" id="one" aria-label="Picture"><p id="out"></p><script>one.onchange = async () => { const [file] = one.files; out.textContent = [file.name, file.type, await file.text()].join() }</script>',
		'data/list.csv': 'a,b\n'
	});
	await open({ path: 'index.html' });
	const { done, tree } = await act(
		{ kind: 'upload', on: '#one', paths: ['data/list.csv'] },
		{ kind: 'wait_for', text: 'list.csv,text/csv,a,b' }
	);
	expect({ done, tree }).toMatchObject({ done: 2, tree: expect.stringContaining('list.csv') });
	for (const path of ['../secret', '/etc/passwd', 'missing.csv'])
		expect(await act({ kind: 'upload', on: '#one', paths: [path] })).toMatchObject({
			done: 0,
			failure: expect.stringContaining(path)
		});
	expect(await act({ kind: 'upload', on: '#out', paths: ['data/list.csv'] })).toMatchObject({ done: 0 });
});

const SERVER = `require('http').createServer((request, response) => {
	response.setHeader('Content-Type', 'text/html');
	if (request.url === '/api') return response.writeHead(503).end('later');
	const name = new URL(request.url, 'http://x').searchParams.get('name');
	response.end('<!doctype html><title>' + request.url + '</title><h1>Page ' + request.url + '</h1><a href="/second">Second</a>' +
		'<form action="/hello"><input name="name" aria-label="Name"><button>Go</button></form><p>' + (name ?? '') + '</p><script>fetch("/api")</script>');
}).listen(4321);`;

it('looks at a server, follows its links and forms, and lists its requests', async () => {
	await importFiles({ 'server.cjs': SERVER });
	await page.evaluate(() => void window.sandglass!.environment!.start('node server.cjs'));
	await page.waitForFunction(() => window.sandglass!.environment!.loopback!.ports.some(({ port }) => port === 4321));
	expect(await failure(open({ port: 4322 }))).toContain('Nothing listens on port 4322. Ports with a server: 4321.');
	expect(await open({ port: 4321 }, '/first?x=1')).toMatchObject({ title: '/first?x=1', address: '/first?x=1' });
	expect(await act({ kind: 'click', on: 'role=link' })).toMatchObject({
		done: 1,
		title: '/second',
		address: '/second'
	});
	const hello = await act({ kind: 'fill', on: 'role=textbox', text: 'Ada' }, { kind: 'press', key: 'Enter' });
	expect(hello).toMatchObject({ done: 2, title: '/hello?name=Ada' });
	expect(hello.tree).toContain('paragraph [ref=');
	const requests = (await logs()).entries.filter(({ kind }) => kind === 'request').map(({ text }) => text);
	expect(requests.some((text) => text.startsWith('GET /api → 503'))).toBe(true);
	expect(requests.some((text) => text.startsWith('GET /hello?name=Ada → 200'))).toBe(true);
});

describe('a hostile page changes nothing but its own result', () => {
	const shown = (
		script: string,
		body = '<h1>Real</h1><button onclick="this.textContent = \'Clicked\'">Press</button>'
	) =>
		importFiles({
			'index.html': `<!doctype html><head><title>T</title><script>${script}</script></head><body>${body}</body>`
		});

	it('one that plays the driver, with a port of its own', async () => {
		await shown(`for (const key of ['guess', 'sandglass', '']) {
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = ({ data }) => port1.postMessage(data.type === 'load' ? { loaded: true } : { id: data.id, ok: true, json: JSON.stringify({ tree: 'forged', title: 'forged', address: '/', isLoaded: true }) });
			parent.postMessage({ sandglassDriver: key }, '*', [port2]);
		}`);
		expect(await open({ path: 'index.html' })).toMatchObject({ title: 'T' });
		expect(await snapshot()).toContain('heading "Real"');
	});

	it('one that replaces what a driver is built on, and listens to what it is sent', async () => {
		await shown(`window.seen = 0;
			Object.defineProperty(MessageEvent.prototype, 'data', { get() { window.seen++; return { type: 'none' }; } });
			MessagePort.prototype.postMessage = () => window.seen++;
			document.createElement = () => { throw new Error('no elements'); };
			Node.prototype.appendChild = () => { throw new Error('nothing is appended'); };
			Element.prototype.remove = () => { throw new Error('nothing goes'); };
			Reflect.apply = () => { throw new Error('nothing is applied'); };`);
		await open({ path: 'index.html' });
		expect(await snapshot()).toContain('heading "Real"');
		expect(await act({ kind: 'click', on: 'role=button' })).toMatchObject({ done: 1 });
		expect(await snapshot()).toContain('button "Clicked"');
	});

	it('one that is asked something while it never rests, never loads, or runs for ever', async () => {
		await shown('setInterval(() => { document.body.dataset.count = Math.random(); }, 5);');
		expect(await open({ path: 'index.html' })).toMatchObject({ isLoaded: true });
		await importFiles({
			'server.cjs': `require('http').createServer((request, response) => {
				response.setHeader('Content-Type', 'text/html');
				if (request.url === '/') return response.end('<!doctype html><h1>Half</h1><img src="/never">');
			}).listen(4400);`
		});
		await page.evaluate(() => void window.sandglass!.environment!.start('node server.cjs'));
		await page.waitForFunction(() => window.sandglass!.environment!.loopback!.ports.some(({ port }) => port === 4400));
		expect(await open({ port: 4400 })).toMatchObject({ isLoaded: false });
		expect(await snapshot()).toContain('heading "Half"');
		await shown(
			'addEventListener("load", () => setTimeout(() => { const end = Date.now() + 25_000; while (Date.now() < end); }, 0));'
		);
		expect(await failure(open({ path: 'index.html' }))).toMatch(/busy/);
		expect(await page.evaluate(() => 1 + 1)).toBe(2);
	});

	it('one that opens dialogs: none is displayed, and each gets the answer that was chosen for it', async () => {
		const displayed: string[] = [];
		page.on('dialog', (dialog) => void dialog.dismiss().then(() => displayed.push(dialog.message())));
		await shown(
			'alert("at once");',
			"<h1>Asks</h1><button onclick=\"out.textContent = [confirm('sure?'), prompt('who?', 'me'), confirm('again?')].join()\">Ask</button><p id=\"out\"></p>"
		);
		await open({ path: 'index.html' });
		const { tree } = await act(
			{ kind: 'dialog', accept: true },
			{ kind: 'dialog', accept: true, text: 'Ada' },
			{ kind: 'click', on: 'role=button' }
		);
		expect(tree).toContain('true,Ada,false');
		const printed = (await logs()).entries.map(({ text }) => text);
		expect(printed).toContain('[dialog] alert: at once → accepted');
		expect(printed).toContain('[dialog] confirm: again? → dismissed');
		// The originals, retrieved from a frame, are removed by the frame itself.
		await importFiles({
			'server.cjs': `require('http').createServer((request, response) => {
				response.setHeader('Content-Type', 'text/html');
				response.end('<!doctype html><h1>Traps</h1><script>const own = document.createElement("iframe"); document.documentElement.append(own); own.contentWindow.alert("trapped"); addEventListener("beforeunload", (event) => event.preventDefault())</script>');
			}).listen(4401);`
		});
		await page.evaluate(() => void window.sandglass!.environment!.start('node server.cjs'));
		await page.waitForFunction(() => window.sandglass!.environment!.loopback!.ports.some(({ port }) => port === 4401));
		await open({ port: 4401 });
		expect(await snapshot()).toContain('heading "Traps"');
		await page.evaluate(() => window.sandglass!.preview!.close());
		expect(displayed).toEqual([]);
	});

	it('one that goes elsewhere, where no driver answers', async () => {
		await shown('addEventListener("load", () => setTimeout(() => { location.href = "/elsewhere"; }, 300));');
		await open({ path: 'index.html' });
		await page.getByText('A script navigated to another address').waitFor();
		expect(await failure(snapshot())).toMatch(/did not answer|does not answer|went to another address/);
		await shown('');
		await open({ path: 'index.html' });
		expect(await snapshot()).toContain('heading "Real"');
	});
});

/** Mean difference of two PNGs of the same size, in percent of the full range. */
const difference = (one: string, other: string): Promise<number> =>
	page.evaluate(
		async (both) => {
			const pixels = async (data: string): Promise<ImageData> => {
				const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
				const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
				const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
				context.drawImage(bitmap, 0, 0);
				return context.getImageData(0, 0, bitmap.width, bitmap.height);
			};
			const [a, b] = await Promise.all(both.map(pixels));
			if (a!.width !== b!.width || a!.height !== b!.height)
				throw new Error(`${a!.width}×${a!.height} and ${b!.width}×${b!.height}`);
			const sum = a!.data.reduce((total, value, at) => total + Math.abs(value - b!.data[at]!), 0);
			return (sum / a!.data.length / 255) * 100;
		},
		[one, other]
	);

const screenshot = (what: PreviewShot = {}) =>
	page.evaluate(async (asked) => {
		const { png, ...rest } = await window.sandglass!.preview!.screenshot(asked, new AbortController().signal);
		return { ...rest, png: btoa(Array.from(png, (byte) => String.fromCharCode(byte)).join('')) };
	}, what);

describe('pictures', () => {
	const STYLED = `<!doctype html><style>
		body { margin: 0; background: #123; color: #fed; font: 16px sans-serif; height: 3000px }
		main { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 20px }
		main div { background: linear-gradient(45deg, #f06, #48f); padding: 30px; border-radius: 12px; box-shadow: 0 4px 12px #0008 }
		aside { position: fixed; right: 20px; bottom: 20px; width: 60px; height: 60px; border-radius: 50%; background: #f33 }
		dialog { border: 0; border-radius: 12px; padding: 30px } dialog::backdrop { background: #0009 } .t::before { content: "★ " }
	</style><main><div class="t">One</div><div><input id="name" value="old"></div><div><canvas id="c" width="80" height="40"></canvas></div><div id="four">Four</div></main>
	<aside></aside><dialog id="d"><p>Sure?</p></dialog>
	<script>document.getElementById('name').value = 'typed'; const x = c.getContext('2d'); x.fillStyle = 'gold'; x.fillRect(5, 5, 60, 30);</script>`;

	it('are what Chromium itself displays: styles, form state, canvas, scrolled, and behind a dialog', async () => {
		await importFiles({ 'index.html': STYLED });
		await open({ path: 'index.html' });
		const size = { width: 700, height: 500 };
		await page.evaluate((to) => window.sandglass!.preview!.resize(to, new AbortController().signal), size);
		const shown = page.locator('iframe[title="Document index.html"]');
		// On whole screen pixels, so that the two pictures have the same grid.
		await shown.evaluate((frame) =>
			Object.assign(frame.style, { position: 'fixed', left: '0', top: '0', zIndex: '9' })
		);
		const real = async (): Promise<string> => (await shown.screenshot()).toString('base64');
		const states = ['', 'scrollTo(0, 40)', 'd.showModal()'];
		for (const state of states) {
			await evaluate(`${state || '0'}; return 1`);
			const { png, notes } = await screenshot();
			expect(notes).toEqual([]);
			expect(await difference(png, await real()), state).toBeLessThan(1);
		}
		expect(await difference((await screenshot()).png, await real())).toBeLessThan(1);
		await evaluate('d.close(); return 1');
		expect(await screenshot()).toMatchObject(size);
		expect(await screenshot({ isFull: true })).toMatchObject({ height: 3_000 });
		const { width, height } = await screenshot({ selector: '#four' });
		expect(`[${width},${height}]`).toBe(
			await evaluate(
				'const { width, height } = four.getBoundingClientRect(); return [Math.ceil(width), Math.ceil(height)]'
			)
		);
	});

	it('of a long page are the same without what is out of view, at the top and scrolled', async () => {
		const cards = Array.from(
			{ length: 60 },
			(_, card) =>
				`<section><h2>Card ${card}</h2><ul>${'<li>a line of <b>text</b></li>'.repeat((card % 7) + 2)}</ul><div class="row"><i>left</i><i>right</i></div></section>`
		).join('');
		await importFiles({
			'index.html': `<!doctype html><style>body { margin: 0; font: 16px sans-serif } main { display: grid; grid-template-columns: 1fr 2fr; gap: 8px }
				section { box-shadow: 0 0 40px #06f; position: relative } .row { display: flex; justify-content: space-between }
				section:nth-child(9n)::after { content: ""; position: absolute; inset: -200px 40% auto; height: 60px; background: #fa0 }</style><main>${cards}</main>`
		});
		await open({ path: 'index.html' });
		const size = { width: 700, height: 500 };
		await page.evaluate((to) => window.sandglass!.preview!.resize(to, new AbortController().signal), size);
		const shown = page.locator('iframe[title="Document index.html"]');
		await shown.evaluate((frame) =>
			Object.assign(frame.style, { position: 'fixed', left: '0', top: '0', zIndex: '9' })
		);
		for (const top of [0, 1_234, 2_500]) {
			await evaluate(`scrollTo(0, ${top}); return 1`);
			const real = (await shown.screenshot()).toString('base64');
			expect(await difference((await screenshot()).png, real), `scrolled to ${top}`).toBeLessThan(1);
		}
	});

	it('go to the agent from the preview’s own button', async () => {
		await importFiles({ 'index.html': STYLED });
		await open({ path: 'index.html' });
		await page.getByRole('button', { name: 'Screenshot to the agent' }).click();
		await page.getByRole('img', { name: 'Image 1' }).waitFor();
	});
});

it('is how an agent finds the fault of what it built and mends it, with a picture in the conversation', async () => {
	await openFiles(page, {
		'index.html':
			'<!doctype html><title>Counter</title><button onclick="count.textContet = 1">Add</button><p id="count">0</p>',
		'server.cjs': `require('http').createServer((request, response) => {
			response.setHeader('Content-Type', 'text/html');
			response.end(require('fs').readFileSync('index.html'));
		}).listen(4500);`
	});
	const picker = page.getByRole('combobox', { name: 'Model', exact: true });
	const wanted = picker
		.locator('option')
		.filter({ hasText: /claude|opus|sonnet/i })
		.first();
	await wanted.waitFor({ state: 'attached' });
	await picker.selectOption({ label: await wanted.innerText() });
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
	await send(page, 'Build a counter');
	await timelineOf(page).getByText('Mended.').waitFor();
	await agentIs(page, 'idle');
	await timelineOf(page)
		.getByRole('button', { name: /^Worked for/ })
		.click();
	await timelineOf(page).getByRole('img', { name: 'Picture of the preview' }).waitFor();
	const texts = models.requests.at(-1)?.body as { messages: { content: { type: string; content?: unknown }[] }[] };
	const results = texts.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'));
	const [started, listening, , opened, , before, , after, picture] = results.map(({ content }) =>
		JSON.stringify(content)
	);
	// The server may only listen after its command went to the background.
	expect(`${started}${listening}`).toContain('Serves port 4500, shown in Preview.');
	expect(opened).toContain('Title: Counter');
	// The click did nothing at first; after the fix it does.
	expect(before).toContain(String.raw`: \"0\"`);
	expect(after).toContain(String.raw`: \"1\"`);
	expect(picture).toContain('"media_type":"image/png"');
});
