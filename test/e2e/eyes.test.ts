import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreviewActed, PreviewStep } from '#environment/preview.ts';
import { openWorld, type World } from './world.ts';

let world: World;
/** Each test opens a project of its own in it. */
let page: Page;
beforeAll(async () => {
	world = await openWorld();
	({ page } = await world.newProfile());
	page.setDefaultTimeout(90_000);
	await page.goto(world.url);
});
afterAll(() => world.close());

const importFiles = (files: Record<string, string>): Promise<void> =>
	page.evaluate((given) => window.sandglass!.importRepository({ files: given }), files);

/** What the agent's tool `preview` does for `open`, on a document or a port. */
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
		expect(await evaluate('const a = 40; return a + 2;')).toBe('42');
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
		// The originals, taken back from a frame, are closed by the frame itself.
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
		await page.getByText('A script in it went to another address').waitFor();
		expect(await failure(snapshot())).toMatch(/did not answer|does not answer|went to another address/);
		await shown('');
		await open({ path: 'index.html' });
		expect(await snapshot()).toContain('heading "Real"');
	});
});
