import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Engine } from '#test/engines/engine.ts';
import { firefoxProgram, startFirefox } from '#test/engines/firefox.ts';
import { hasWebKit, startWebKit } from '#test/engines/webkit.ts';
import { ATTACK, attempts, startListener, type Listener } from './attack.ts';
import { startProduct } from './world.ts';

interface Candidate {
	name: string;
	/** Reason why it cannot be tested here. */
	missing: string | null;
	start(): Promise<Engine>;
	/** Set if its programs share memory with the kernel. */
	shares: boolean;
	/** Set if its stacks show the position of code evaluated from text. */
	printsPlaces: boolean;
}

const noFirefox = firefoxProgram ? null : 'firefox-esr is not installed';
const noWebKit = hasWebKit ? null : 'webkit2gtk-driver or xvfb is not installed';

/** Longer than anything here takes on a busy machine: WebKit played the demo in 179 s while another test file ran. */
const HANG_MS = 480_000;

const SYNC = `try { require('child_process').execSync('true'); console.log('done') } catch (error) { console.log(error.message) }`;

/** Its programs wait for each other, so it can only run where that works. */
const JEST = 'node_modules/jest/bin/jest.js';

const candidates: Candidate[] = [
	{ name: 'Firefox', missing: noFirefox, start: startFirefox, shares: true, printsPlaces: true },
	{
		name: 'WebKit',
		missing: noWebKit,
		start: () => startWebKit({ sharedMemory: true }),
		shares: true,
		printsPlaces: false
	},
	{
		name: 'WebKit without shared memory',
		missing: noWebKit,
		start: () => startWebKit({ sharedMemory: false }),
		shares: false,
		printsPlaces: false
	}
];

describe.each(candidates)('in $name', { timeout: HANG_MS + 60_000 }, ({ missing, start, shares, printsPlaces }) => {
	let product: Awaited<ReturnType<typeof startProduct>>;
	let listener: Listener;
	let engine: Engine;
	beforeAll(async () => {
		if (missing !== null) return;
		[product, listener, engine] = await Promise.all([startProduct(), startListener(), start()]);
		// Saving the page for offline use takes a minute of CPU time.
		await engine.open(`${product.url}/icon.svg`);
		await engine.evaluate(() => localStorage.setItem('sandglass:offline', 'no'));
	});
	afterAll(async () => {
		await engine?.close();
		await listener?.close();
		await product?.close();
	});

	it('boots the computer, runs commands and says in which mode it does', async (context) => {
		context.skip(missing !== null, missing ?? '');
		await engine.open(product.url);
		await eventually('the page', 30_000, () => engine.evaluate(() => (window.sandglass ? true : null)));
		const seen = await engine.evaluate(
			async ([sync, jest]) => {
				const files = {
					'a.js': 'require("fs").writeFileSync("made.txt", "made"); console.log(6 * 7)',
					'sync.js': sync,
					'thrown.js': 'function inner() {\n  throw new TypeError("said here");\n}\ninner();',
					[jest]: 'console.log("jest itself")'
				};
				await window.sandglass!.importRepository({ files });
				const { environment } = window.sandglass!;
				const plain = await environment!.exec(
					'node a.js | tr 4 5 && cat made.txt && rg -c made . && git status --short'
				);
				const waited = await environment!.exec('node sync.js');
				const thrown = await environment!.exec('node thrown.js');
				const tests = await environment!.exec(`node ${jest}`);
				const named = await environment!.exec(`node -p "new (require('events'))().constructor.name"`);
				return {
					plain,
					tests: tests.stdout + tests.stderr,
					sync: waited.stdout,
					named: named.stdout,
					thrown: thrown.stderr,
					text: document.body.innerText
				};
			},
			[SYNC, JEST] as const
		);
		expect(seen.plain.stderr).toBe('');
		expect(seen.plain.stdout).toMatch(/^52\nmade.*made.txt/s);
		expect(seen.sync).toMatch(shares ? /^done/ : /^ENOSYS: .*shares no memory/);
		expect(seen.tests.includes('jest itself')).toBe(shares);
		// As in the sources, though the page is minified.
		expect(seen.named).toBe('EventEmitter\n');
		expect(seen.thrown).toContain('TypeError: said here\n');
		// WebKit repeated a worker's script, megabytes as a URL, in each line.
		expect(seen.thrown.length).toBeLessThan(1_000);
		if (printsPlaces)
			expect(seen.thrown).toContain('    at inner (/workspace/thrown.js:2:9)\n    at /workspace/thrown.js:4:');
		expect(seen.text.includes('This browser doesn’t share memory with programs')).toBe(!shares);
	});

	it('plays the demo to green tests, every file and command real', async (context) => {
		context.skip(missing !== null, missing ?? '');
		await engine.open('about:blank');
		await engine.open(product.url);
		await eventually('the demo button', 30_000, () =>
			engine.evaluate(() => {
				const button = [...document.querySelectorAll('button')].find((each) =>
					each.textContent?.includes('Watch the demo')
				);
				button?.click();
				return button ? true : null;
			})
		);
		await eventually('the end of the demo', HANG_MS, () =>
			engine.evaluate(() => {
				const agent = document.querySelector('[role=status][aria-label=Agent]')?.textContent;
				const timeline = document.querySelector('[role=log]')?.textContent ?? '';
				return agent === 'Ready' && timeline.includes('npm test') ? true : null;
			})
		);
		const machine = await engine.evaluate(async () => {
			const { environment, session } = window.sandglass!;
			const { exitCode, stdout, stderr } = await environment!.exec('npm test');
			const diff = await environment!.exec('git diff --stat');
			return { exitCode, output: stdout + stderr, diff: diff.stdout, state: session!.state };
		});
		expect(machine.output).toMatch(/fail 0/);
		expect(machine).toMatchObject({ exitCode: 0, state: 'idle', diff: expect.stringContaining('src/replacements.ts') });
	});

	it('lets code in the sandbox read nothing of the page and reach no address', async (context) => {
		context.skip(missing !== null, missing ?? '');
		await engine.open('about:blank');
		await engine.open(product.url);
		await eventually('the page', 30_000, () => engine.evaluate(() => (window.sandglass ? true : null)));
		await engine.evaluate(async (text) => {
			localStorage.setItem('secret', 'of the page');
			await window.sandglass!.importRepository({ files: { 'attack.cjs': text } });
		}, ATTACK);
		listener.hits.length = 0;
		const answered = product.log.length;
		const result = await engine.evaluate(
			(targets) => window.sandglass!.environment!.exec(`node attack.cjs ${targets.join(' ')}`, { timeoutMs: 60_000 }),
			[listener.url, product.url.replace(/\/$/, '')]
		);
		expect(result).toMatchObject({ stderr: '', exitCode: 0 });
		const tries = JSON.parse(result.stdout) as Record<string, string>;
		expect(Object.keys(tries)).toHaveLength(attempts(2));
		expect(Object.entries(tries).filter(([, outcome]) => outcome !== 'refused')).toEqual([]);
		expect(listener.hits).toEqual([]);
		const served = product.log.slice(answered).map(({ method, route, status }) => `${method} ${route} ${status}`);
		expect(served.filter((line) => !['GET /* 200', 'GET /* 304'].includes(line))).toEqual([]);
	});
});
