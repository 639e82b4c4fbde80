import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { sandboxFrame } from '#computer/build/frame-plugin.ts';
import { nodeAliases, sandboxPrograms } from '#computer/build/program-plugin.ts';
import { brotliModule } from '#computer/build/brotli-plugin.ts';
import { jqModule } from '#computer/build/jq-plugin.ts';
import { ripgrepModule } from '#computer/build/ripgrep-plugin.ts';
import { type DevtoolsPage, openDevtoolsPage } from './devtools.ts';

/** A page that measures how long it is blocked, with a sandbox that contains a file and another process. */
const PAGE = `<!doctype html><title>Memory</title><script type="module">
	import { createWasmEnvironment } from '/src/computer/host/environment.ts';
	const crashes = [];
	const sandbox = createWasmEnvironment({ onCrash: (reason) => crashes.push(reason) });
	await sandbox.writeFile('kept.txt', 'kept');
	await sandbox.exec('node -e 0');
	globalThis.hog = async (command) => {
		crashes.length = 0;
		const tasks = [];
		const observer = new PerformanceObserver((list) => {
			for (const { name, duration } of list.getEntries()) if (name === 'self') tasks.push(Math.round(duration));
		});
		observer.observe({ type: 'longtask' });
		const other = await sandbox.start('sleep 600');
		let otherEnded = false;
		void other.exited.then(() => (otherEnded = true));
		const from = performance.now();
		const { exitCode, stderr, timedOut } = await sandbox.exec(command, { timeoutMs: 300_000 });
		const ms = Math.round(performance.now() - from);
		const after = await sandbox.exec('cat kept.txt && node -p 6*7');
		const othersLived = !otherEnded;
		await other.kill('SIGKILL').catch(() => {});
		observer.disconnect();
		return { exitCode, stderr: stderr.slice(0, 500), timedOut, ms, after: after.stdout, othersLived, crashes: [...crashes], tasks };
	};
	globalThis.isReady = true;
</script>`;

const outcome = z.object({
	exitCode: z.number(),
	stderr: z.string(),
	timedOut: z.boolean(),
	ms: z.number(),
	after: z.string(),
	othersLived: z.boolean(),
	crashes: z.array(z.string()),
	tasks: z.array(z.number())
});

let server: ViteDevServer;
let page: DevtoolsPage;
beforeAll(async () => {
	server = await createServer({
		configFile: false,
		logLevel: 'error',
		server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
		plugins: [
			svelte(),
			sandboxPrograms(),
			ripgrepModule(),
			brotliModule(),
			jqModule(),
			sandboxFrame(),
			{
				name: 'memory-page',
				configureServer: ({ middlewares }) => {
					middlewares.use('/memory', (_, response) => void response.setHeader('Content-Type', 'text/html').end(PAGE));
				}
			}
		],
		resolve: { alias: nodeAliases }
	});
	await server.listen();
	page = await openDevtoolsPage(`${server.resolvedUrls?.local[0]}memory`);
	await vi.waitUntil(() => page.evaluate('globalThis.isReady'), { timeout: 300_000, interval: 500 });
});
afterAll(async () => {
	await page?.close();
	await server?.close();
});

const eat = (what: string) => `node -e "const kept = []; for (;;) kept.push(${what});"`;

it.each([
	['arrays', eat('new Array(1e7).fill(1.5)')],
	['typed arrays', eat('new Uint8Array(1 << 28)')],
	[
		'WebAssembly memory',
		eat('(() => { const memory = new WebAssembly.Memory({ initial: 1 }); memory.grow(16384); return memory; })()')
	]
])('a program that fills memory with %s ends and says why; page and files live', async (_, command) => {
	const found = outcome.parse(await page.evaluate(`hog(${JSON.stringify(command)})`));
	console.log(JSON.stringify(found));
	expect(found.after).toBe('kept42\n');
	expect(found.timedOut).toBe(false);
	expect(found.exitCode).not.toBe(0);
	expect(found.stderr).toMatch(/memory|allocation/i);
});
