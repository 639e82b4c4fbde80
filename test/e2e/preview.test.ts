import { readdirSync, readFileSync } from 'node:fs';
import type { FrameLocator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startListener, type Listener } from './attack.ts';
import { SHOWN_SERVER } from './shown-server.ts';
import { violations } from './axe.ts';
import { openWorld, startProduct, type World } from './world.ts';

let world: World;
let listener: Listener;
/** Each test opens a separate project in it. */
let page: Page;
beforeAll(async () => {
	[world, listener] = await Promise.all([openWorld(), startListener()]);
	({ page } = await world.newProfile());
	// Bundling is slow on a busy machine.
	page.setDefaultTimeout(90_000);
	await page.goto(world.url);
});
afterAll(async () => {
	await world.close();
	await listener.close();
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Sources of an installed package, by their paths in a project. */
function packageFiles(name: string): Record<string, string> {
	const root = `node_modules/${name}`;
	const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
		/\.(c?m?js|json|css)$/.test(file)
	);
	return Object.fromEntries(paths.map((file) => [`${root}/${file}`, readFileSync(`${root}/${file}`, 'utf8')]));
}

async function open(files: Record<string, string>): Promise<void> {
	await page.evaluate((given) => {
		const bytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
		const entries = Object.entries(given).map(([path, text]) => [path, path.endsWith('.png') ? bytes(text) : text]);
		return window.sandglass!.importRepository({ files: Object.fromEntries(entries) });
	}, files);
}

async function show(page: Page, path?: string): Promise<FrameLocator> {
	await page.getByRole('tab', { name: 'Preview' }).click();
	const choice = page.getByRole('combobox', { name: 'Document', exact: true });
	await choice.waitFor();
	if (path) await choice.selectOption(path);
	await expect.poll(() => choice.inputValue()).not.toBe('');
	const shown = path ?? (await choice.inputValue());
	await page.getByRole('button', { name: 'Show preview' }).click();
	return page.frameLocator(`iframe[title="Document ${shown}"]`);
}

const write = (page: Page, path: string, text: string) =>
	page.evaluate(([to, content]) => window.sandglass!.environment!.writeFile(to, content), [path, text] as const);
const consoleOf = (page: Page) => page.getByRole('log', { name: 'Console' });

describe('a static site in the closed frame', () => {
	const SITE = {
		'public/index.html': `<!doctype html><html><head><title>Site</title><link rel="stylesheet" href="css/site.css">
<script src="classic.js" defer></script><script type="module" src="/js/main.js"></script></head>
<body style="min-height: 3000px"><h1>Home</h1><img id="picture" src="img/dot.png" alt="dot"><p id="out"></p><p id="late"></p>
<a href="other.html">Other</a> <a href="#end">End</a> <a href="https://example.org/away">Away</a>
<script>
window.inlineRan = true;
</script></body></html>`,
		'public/other.html': '<!doctype html><h1>Second page</h1><a href="index.html">Back</a>',
		'public/css/site.css': '@import "./colours.css"; h1 { background: url(../img/dot.png) }',
		'public/css/colours.css': 'h1 { color: rgb(1, 2, 3) }',
		'public/classic.js': 'document.getElementById("late").textContent = "classic " + window.inlineRan;\n',
		'public/js/main.js': `import { add } from './add.js';
import data from './data.json';
document.getElementById('out').textContent = 'sum ' + add(data.a, 2);
console.log('object', { a: [1, 'x'], deep: new Map([['k', 1]]) });
console.warn('careful');
export {};
setTimeout(() => {
	undefinedThing.boom();
});
`,
		'public/js/add.js': 'export const add = (a, b) => a + b;\n',
		'public/js/data.json': '{ "a": 40 }',
		'public/img/dot.png': PIXEL
	};

	it('has its styles, modules, classic scripts and pictures inside it; prints where in the source; follows its links', async () => {
		await open(SITE);
		const frame = await show(page);
		await frame.getByText('sum 42').waitFor();
		await frame.getByText('classic true').waitFor();
		const colour = () => frame.locator('h1').evaluate((element) => getComputedStyle(element).color);
		await expect.poll(colour).toBe('rgb(1, 2, 3)');
		const width = () => frame.locator('#picture').evaluate((image: HTMLImageElement) => image.naturalWidth);
		await expect.poll(width).toBe(1);
		const printed = consoleOf(page);
		await printed.getByText('object { a: [1, "x"], deep: Map(1) {k: 1} }').waitFor();
		await printed.getByText('careful').waitFor();
		await printed.getByText('undefinedThing is not defined').waitFor();
		await printed.getByRole('button', { name: 'public/js/main.js:8:2' }).waitFor();
		await printed.getByRole('button', { name: 'public/js/main.js:4:9' }).waitFor();

		await page.getByRole('button', { name: 'Send to the agent' }).click();
		const message = () => page.getByRole('textbox', { name: 'Message', exact: true }).inputValue();
		await expect.poll(message).toContain('The preview of public/index.html reports:');
		expect(await message()).toContain(
			'error public/js/main.js:8:2 Uncaught ReferenceError: undefinedThing is not defined'
		);

		await frame.getByRole('link', { name: 'Away' }).click();
		await printed.getByText('The link to https://example.org/away leads outside the preview').waitFor();
		await frame.getByRole('link', { name: 'End' }).click();
		await frame.getByRole('link', { name: 'Other' }).click();
		const second = page.frameLocator('iframe[title="Document public/other.html"]');
		await second.getByRole('heading', { name: 'Second page' }).waitFor();
		await second.getByRole('link', { name: 'Back' }).click();
		await frame.getByText('sum 42').waitFor();
	});

	it('is made again when a file of it changes, scrolled as it was', async () => {
		await open(SITE);
		const frame = await show(page);
		await frame.getByText('sum 42').waitFor();
		await page.evaluate(() =>
			addEventListener('message', ({ data }) => {
				if (data?.sandglassPreview?.type === 'scroll') Reflect.set(window, 'toldOfScrolling', true);
			})
		);
		await frame.locator('body').evaluate(() => window.scrollTo(0, 700));
		await page.waitForFunction(() => Reflect.get(window, 'toldOfScrolling'));
		await write(page, 'public/js/data.json', '{ "a": 41 }');
		await frame.getByText('sum 43').waitFor();
		await expect.poll(() => frame.locator('body').evaluate(() => window.scrollY)).toBe(700);
	});

	it('says what is wrong instead of showing nothing: a mistake in the source, a blank page, a script that leaves', async () => {
		await open({
			'index.html': '<!doctype html><script type="module" src="a.js"></script>',
			'a.js': 'let x = ;\n',
			'leaves.html': `<!doctype html><p>soon</p><script>setTimeout(() => { location.href = '/elsewhere'; }, 50)</script>`
		});
		await show(page, 'index.html');
		await page.getByText('Bundling failed.').waitFor();
		await page
			.getByText(/a\.js:1:\d/)
			.first()
			.waitFor();
		await write(page, 'a.js', 'window.ok = 1;\n');
		await page.getByText('The page is empty.').waitFor();
		await page.getByRole('button', { name: 'Close the document' }).click();
		await show(page, 'leaves.html');
		await page.getByText('A script navigated to another address').waitFor();
	});
});

describe('an app', () => {
	it('of TypeScript and JSX is bundled from src/main when there is no document, and says which packages are missing', async () => {
		await open({
			'package.json': '{ "name": "app", "dependencies": { "react": "19.0.0" } }',
			'src/main.tsx': `import './app.css';
import { createRoot } from 'react-dom/client';
const name: string = 'App';
createRoot(document.getElementById('root')!).render(<h1>Hello {name}</h1>);
`,
			'src/app.css': 'h1 { color: rgb(9, 8, 7) }'
		});
		const frame = await show(page);
		await page.getByText('Missing packages:').waitFor();
		await page.getByRole('button', { name: 'Run npm install' }).waitFor();
		// A minimal version of what npm would install.
		await write(page, 'node_modules/react/package.json', '{ "name": "react", "main": "index.js" }');
		await write(page, 'node_modules/react/index.js', 'module.exports = {};');
		await write(
			page,
			'node_modules/react/jsx-runtime.js',
			'exports.jsx = (type, props) => ({ type, props });\nexports.jsxs = exports.jsx;'
		);
		await write(page, 'node_modules/react/jsx-dev-runtime.js', 'exports.jsxDEV = (type, props) => ({ type, props });');
		await write(page, 'node_modules/react-dom/package.json', '{ "name": "react-dom" }');
		await write(
			page,
			'node_modules/react-dom/client.js',
			`exports.createRoot = (root) => ({ render({ type, props }) {
				const element = document.createElement(type);
				element.textContent = [].concat(props.children).join('');
				root.append(element);
			} });`
		);
		await page.getByRole('button', { name: 'Reload', exact: true }).click();
		const heading = frame.getByRole('heading', { name: 'Hello App' });
		await heading.waitFor();
		await expect.poll(() => heading.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(9, 8, 7)');
	});
});

describe('builds of a document', () => {
	it('follow each other, since they write the same files', async () => {
		await open({
			'index.html': '<!doctype html><h1>Home</h1><script type="module" src="a.ts"></script>',
			'a.ts': 'export {};\n'
		});
		const frame = await show(page);
		await frame.getByRole('heading', { name: 'Home' }).waitFor();
		await page.evaluate(() => {
			const environment = window.sandglass!.environment!;
			const exec = environment.exec.bind(environment);
			const counts = { running: 0, most: 0, done: 0 };
			Reflect.set(window, 'builds', counts);
			environment.exec = async (...given: Parameters<typeof exec>) => {
				counts.most = Math.max(counts.most, ++counts.running);
				try {
					return await exec(...given);
				} finally {
					counts.running--;
					counts.done++;
				}
			};
			const reload = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Reload')!;
			for (let count = 0; count < 4; count++) reload.click();
		});
		const builds = () => page.evaluate(() => Reflect.get(window, 'builds') as { most: number; done: number });
		await page.getByText('Bundling…').waitFor({ state: 'hidden' });
		await frame.getByRole('heading', { name: 'Home' }).waitFor();
		await expect.poll(async () => (await builds()).done).toBeGreaterThan(0);
		expect((await builds()).most).toBe(1);
	});
});

describe('an app of Svelte components', () => {
	it('is compiled by its own compilers, Sass and Tailwind too, and tells errors by the lines of the component', async () => {
		const used = ['svelte', 'clsx', 'esm-env', 'devalue', 'sass', 'immutable', 'tailwindcss'];
		const packages = Object.assign({}, ...used.map(packageFiles)) as Record<string, string>;
		await open({
			...packages,
			'package.json': '{ "type": "module", "devDependencies": { "svelte": "5", "sass": "1", "tailwindcss": "4" } }',
			'src/site.scss': '@use "colours" as *; main { button { background: $back } }',
			'src/_colours.scss': '$back: rgb(7, 8, 9);',
			'src/tailwind.css': '@import "tailwindcss/utilities";',
			'index.html': '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>',
			'src/main.ts': `import { mount } from 'svelte';
import App from './App.svelte';
import './site.scss';
import './tailwind.css';
mount(App, { target: document.getElementById('app')! });
`,
			'src/App.svelte': `<script lang="ts">
	let count: number = $state(0);
	function click(): void {
		count++;
		if (count === 2) throw new Error('too many');
	}
</script>

<main><button class="mt-[13px]" onclick={click}>Clicked {count}</button></main>

<style lang="scss">
	main { button { color: rgb(4, 5, 6) } }
</style>
`
		});
		const frame = await show(page);
		const button = frame.getByRole('button', { name: 'Clicked 0' });
		await button.waitFor();
		const shown = () =>
			button.evaluate((element) => {
				const { color, backgroundColor, marginTop } = getComputedStyle(element);
				return [color, backgroundColor, marginTop];
			});
		await expect.poll(shown).toEqual(['rgb(4, 5, 6)', 'rgb(7, 8, 9)', '13px']);
		await button.click();
		await frame.getByRole('button', { name: 'Clicked 1' }).click();
		await consoleOf(page).getByText('too many').first().waitFor();
		await consoleOf(page)
			.getByRole('button', { name: /^src\/App\.svelte:5:/ })
			.first()
			.waitFor();
	});
});

describe('with a preview origin', () => {
	it('a server of the sandbox is announced when it listens, and answers: documents, bodies, redirects, cookies, streams, WebSockets', async () => {
		await open({ ...packageFiles('ws'), 'server.js': SHOWN_SERVER });
		await page.evaluate(() => window.sandglass!.environment!.start('node server.js').then(() => {}));
		await page.getByText('Server on port 3000').first().waitFor();
		await page.getByRole('button', { name: 'Open port 3000' }).first().click();
		const frame = page.frameLocator('iframe[title="Server on port 3000"]').frameLocator('iframe');
		await frame.getByRole('heading', { name: 'From the server' }).waitFor();
		await frame.getByText('POST a body | at the end with seen=1 | one | two').waitFor();
		await frame.getByText('hello seen=1 http://localhost:3000 | 1,2 | 4000 over true').waitFor();
		await frame.getByText('refused 1006').waitFor();
		await consoleOf(page).getByText('server script').waitFor();
		await page.evaluate(() => window.sandglass!.environment!.exec('pkill node || kill $(pgrep node)').then(() => {}));
	});

	it('is not reloaded by a change that its development server handles, and closes its sockets when it is', async () => {
		await open({
			...packageFiles('ws'),
			'src/app.js': '// version 1',
			'server.js': `const { WebSocketServer } = require('ws');
const closed = [];
const server = require('http').createServer((request, response) => {
	response.setHeader('Content-Type', 'text/html');
	response.end('<input id="kept"><p>' + closed.join() + '</p><script>new WebSocket("ws://" + location.host, "vite-hmr").onmessage = ({ data }) => document.querySelector("p").textContent = data</scr' + 'ipt>');
}).listen(3200);
new WebSocketServer({ server, handleProtocols: () => 'vite-hmr' }).on('connection', (socket) => {
	const watcher = require('fs').watch('src', () => socket.send('updated'));
	socket.on('close', (code) => (closed.push(code), watcher.close()));
	socket.send('connected');
});`
		});
		await page.evaluate(() => window.sandglass!.environment!.start('node server.js').then(() => {}));
		await page.getByRole('button', { name: 'Open port 3200' }).first().click();
		const frame = page.frameLocator('iframe[title="Server on port 3200"]').frameLocator('iframe');
		await frame.getByText('connected').waitFor();
		await frame.locator('#kept').fill('typed by the user');
		await write(page, 'src/app.js', '// version 2');
		await frame.getByText('updated').waitFor();
		expect(await frame.locator('#kept').inputValue()).toBe('typed by the user');
		await page.getByRole('button', { name: 'Reload', exact: true }).click();
		await expect.poll(() => frame.locator('#kept').inputValue()).toBe('');
		await page.getByRole('button', { name: 'Reload', exact: true }).click();
		const closedOnes = () =>
			page.evaluate(async () => (await window.sandglass!.environment!.exec('curl -s localhost:3200')).stdout);
		await expect.poll(closedOnes).toContain('<p>1001');
		await page.evaluate(() => window.sandglass!.environment!.exec('pkill node || kill $(pgrep node)').then(() => {}));
	});

	it('opens in a tab of its own, with its storage and sockets, and comes back', async () => {
		await open({ ...packageFiles('ws'), 'server.js': SHOWN_SERVER });
		await page.evaluate(() => window.sandglass!.environment!.start('node server.js').then(() => {}));
		await page.getByRole('button', { name: 'Open port 3000' }).first().click();
		const here = page.frameLocator('iframe[title="Server on port 3000"]').frameLocator('iframe');
		await here.getByText('refused 1006').waitFor();
		const opened = page.waitForEvent('popup');
		await page.getByRole('button', { name: 'Open in a new tab' }).click();
		const tab = await opened;
		const frame = tab.frameLocator('iframe[title="Server on port 3000"]').frameLocator('iframe');
		await frame.getByText('POST a body | at the end with seen=1 | one | two').waitFor();
		await frame.getByText('hello seen=1 http://localhost:3000 | 1,2 | 4000 over true').waitFor();
		await page.getByText('This preview is open in its own tab.').waitFor();
		expect(await page.locator('iframe[title="Server on port 3000"]').count()).toBe(0);
		expect(await tab.evaluate(() => crossOriginIsolated)).toBe(true);
		// It is as isolated as before: it can reach neither the tab nor the page that opened it.
		const inside = tab.frames().find((each) => each.parentFrame()?.parentFrame() === tab.mainFrame())!;
		const reached = await inside.evaluate(() => {
			const reach = (work: () => unknown): string => {
				try {
					return String(work());
				} catch (error) {
					return (error as Error).name;
				}
			};
			return [reach(() => top!.document.title), reach(() => top!.opener?.document.title ?? 'no way back')];
		});
		expect(reached[0]).toBe('SecurityError');
		expect(['SecurityError', 'no way back']).toContain(reached[1]);
		expect(await violations(tab)).toEqual([]);
		await page.getByRole('button', { name: 'Show it here' }).click();
		await here.getByText('refused 1006').waitFor();
		expect(tab.isClosed()).toBe(true);
		await page.evaluate(() => window.sandglass!.environment!.exec('pkill node || kill $(pgrep node)').then(() => {}));
	});

	it('goes where the address bar says, in the size of a device', async () => {
		await open({
			'server.js': `require('http').createServer((request, response) => {
	response.setHeader('content-type', 'text/html');
	response.end('<h1>At ' + request.url + '</h1><p></p><script>const show = () => { document.querySelector("p").textContent = innerWidth + " × " + innerHeight; }; onresize = show; show();</scr' + 'ipt>');
}).listen(3100);`
		});
		await page.evaluate(() => window.sandglass!.environment!.start('node server.js').then(() => {}));
		await page.getByRole('button', { name: 'Open port 3100' }).first().click();
		const frame = page.frameLocator('iframe[title="Server on port 3100"]').frameLocator('iframe');
		await frame.getByRole('heading', { name: 'At /', exact: true }).waitFor();
		const address = page.getByRole('textbox', { name: 'Address' });
		await address.fill('/about?x=1');
		await address.press('Enter');
		await frame.getByRole('heading', { name: 'At /about?x=1' }).waitFor();
		await page.getByRole('combobox', { name: 'Size' }).selectOption('phone');
		await frame.getByText('390 × 844').waitFor();
		await page.getByRole('button', { name: 'Rotate' }).click();
		await frame.getByText('844 × 390').waitFor();
		await address.fill('https://example.com/');
		await address.press('Enter');
		await page.getByRole('alert').getByText('The preview shows servers in this tab').waitFor();
		await address.press('Escape');
		// The size is kept for another page.
		await address.fill(':3100/next');
		await address.press('Enter');
		await frame.getByRole('heading', { name: 'At /next' }).waitFor();
		await frame.getByText('844 × 390').waitFor();
		expect(await violations(page)).toEqual([]);
		await page.getByRole('combobox', { name: 'Size' }).selectOption('fit');
		await page.evaluate(() => window.sandglass!.environment!.exec('pkill node || kill $(pgrep node)').then(() => {}));
	});

	it('a site of files fetches them, and code in it reaches neither the page, its storage, the API nor any other host', async () => {
		await open({
			'index.html': `<!doctype html><h1>Files</h1><p id="o"></p><script type="module">
const data = await (await fetch('data.json')).json();
document.getElementById('o').textContent = 'fetched ' + data.a;
</script>`,
			'data.json': '{ "a": 7 }'
		});
		await page.evaluate(() => localStorage.setItem('secret', 'of the page'));
		await show(page);
		await page.getByRole('checkbox', { name: 'With its files' }).check();
		const frame = page.frameLocator('iframe[title="Document index.html"]').frameLocator('iframe');
		await frame.getByText('fetched 7').waitFor();
		await write(page, 'data.json', '{ "a": 8 }');
		await write(
			page,
			'index.html',
			(await page.evaluate(() => window.sandglass!.environment!.readFile('index.html'))).replace('Files', 'Anew')
		);
		await frame.getByText('fetched 8').waitFor();
		const answered = world.log.length;
		const outcomes = await frame.locator('body').evaluate(
			async (_body, [outside, app]) => {
				const attempt = async (run: () => unknown): Promise<string> => {
					try {
						const value = await run();
						return `did: ${String(value)}`;
					} catch {
						return 'refused';
					}
				};
				return {
					storage: localStorage.getItem('secret'),
					databases: (await indexedDB.databases()).map(({ name }) => name),
					cookie: document.cookie,
					top: await attempt(() => top!.document.title),
					navigateTop: await attempt(() => (top!.location.href = `${outside}/top`)),
					api: await attempt(() => fetch(`${app}/api/config`)),
					apiWithoutCors: await attempt(() => fetch(`${app}/api/config`, { mode: 'no-cors' })),
					ownApi: await attempt(async () => (await fetch('/api/config')).status),
					outside: await attempt(() => fetch(`${outside}/fetch`, { mode: 'no-cors' })),
					beacon: await attempt(() => {
						if (!navigator.sendBeacon(`${outside}/beacon`, 'x')) throw new Error('no');
					}),
					image: await attempt(
						() =>
							new Promise((resolve, reject) => {
								const image = new Image();
								image.onload = resolve;
								image.onerror = reject;
								image.src = `${outside}/image`;
							})
					),
					popup: String(window.open(`${outside}/popup`)),
					frame: await attempt(async () => {
						const made = document.createElement('iframe');
						made.src = `${outside}/frame`;
						document.body.append(made);
						await new Promise((resolve) => (made.onload = resolve));
						return made.contentDocument!.title;
					})
				};
			},
			[listener.url, world.url] as const
		);
		expect(outcomes).toEqual({
			storage: null,
			databases: [],
			cookie: '',
			top: 'refused',
			navigateTop: 'refused',
			api: 'refused',
			apiWithoutCors: 'refused',
			ownApi: 'did: 404',
			outside: 'refused',
			beacon: expect.any(String),
			image: 'refused',
			popup: 'null',
			frame: 'refused'
		});
		expect(listener.hits).toEqual([]);
		expect(world.log.slice(answered).filter(({ route }) => String(route).startsWith('/api'))).toEqual([]);
		expect(page.url()).toContain('#session/');
	});

	it('says what is missing where there is none', async () => {
		const bare = await startProduct({ SANDGLASS_PREVIEW_ORIGIN: 'off' });
		try {
			const { page } = await world.newProfile();
			await page.goto(bare.url);
			await page.evaluate(() => window.sandglass!.importRepository({ files: { 'index.html': '<h1>Hi' } }));
			await page.getByRole('tab', { name: 'Preview' }).click();
			await page.getByText('need a preview origin').waitFor();
			await page.getByRole('button', { name: 'Show preview' }).click();
			await page.frameLocator('iframe[title="Document index.html"]').getByRole('heading', { name: 'Hi' }).waitFor();
			expect(await page.getByRole('checkbox', { name: 'With its files' }).count()).toBe(0);
		} finally {
			await bare.close();
		}
	});
});
