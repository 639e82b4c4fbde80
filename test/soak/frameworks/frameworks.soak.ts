import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { signalGroup } from '#environment/local/process-group.ts';
import { openSandboxPage, type SandboxPage } from '#test/computer/sandbox-page/open.ts';
import { nativeEnvironment } from '../native-environment.ts';
import { registryProblem } from '../registry.ts';

interface Framework {
	name: string;
	/** Directory next to this file, if its name differs. */
	directory?: string;
	/** Package of the directory for which another version is used here. */
	version?: { name: string; range: string };
	/** File whose heading is changed while the development server runs. */
	page: string;
}

const FRAMEWORKS: Framework[] = [
	{ name: 'sveltekit', page: 'src/routes/+page.svelte' },
	{ name: 'astro', page: 'src/pages/index.astro' },
	{ name: 'next', page: 'app/page.js' },
	{ name: 'next-15', directory: 'next', version: { name: 'next', range: '15' }, page: 'app/page.js' },
	{ name: 'nuxt', page: 'app/pages/index.vue' }
];
const STEP_MS = 400_000;
/** The two servers use different ports: natively npm ends without its server when it is killed. */
const PORTS = { built: 4310, developed: 4311 };
const QUIET = 'export NEXT_TELEMETRY_DISABLED=1 ASTRO_TELEMETRY_DISABLED=1 NUXT_TELEMETRY_DISABLED=1;';
const BUILT = `${QUIET} export PORT=${PORTS.built} HOST=127.0.0.1 HOSTNAME=127.0.0.1; npm start > start.log 2>&1 &`;
const DEVELOPED = `${QUIET} npm run dev -- --port ${PORTS.developed} > dev.log 2>&1 &`;

/** Requests the page, the one with a parameter, and the data route; removes markup added by the framework. */
const ask = (port: number) => `for target in / /trees/oak '/api/harvest?fruit=pear'; do
	curl -s "http://127.0.0.1:${port}$target" | tr -d '\\n' | sed 's, data-astro-[^>]*,,g' | grep -oE '<header[^>]*>Orchard|(Apples|Pears) today|Tree oak|[{]"fruit.*[}]' | sort -u
done`;
/** Waits until the page contains a text, or until the limit of the step. */
const until = (port: number, words: string) =>
	`until curl -s http://127.0.0.1:${port}/ | grep -q '${words}'; do sleep 1; done`;
const STOP = 'kill $server; wait $server 2> /dev/null; true';

const steps = ({ page }: Framework): [string, string][] => [
	['install', 'npm install --no-audit --no-fund > install.log 2>&1'],
	['build', `${QUIET} npm run build > build.log 2>&1`],
	['start', `${BUILT} server=$!; ${until(PORTS.built, 'Apples today')}; ${ask(PORTS.built)}; ${STOP}`],
	[
		'dev',
		`${DEVELOPED} server=$!; ${developed('Apples')}; sed -i s/Apples/Pears/ '${page}'; ${developed('Pears')}; ${STOP}`
	]
];
const developed = (fruit: string) => `${until(PORTS.developed, `${fruit} today`)}; ${ask(PORTS.developed)}`;

let sandbox: SandboxPage | null = null;
afterEach(async () => {
	await sandbox?.close();
	sandbox = null;
});

async function natively(cwd: string, command: string): Promise<{ code: number | null; stdout: string }> {
	// In a process group, so that servers left behind by npm end with it.
	const shell = spawn('timeout', ['--foreground', String(STEP_MS / 1000), 'bash', '-c', command], {
		cwd,
		detached: true,
		env: nativeEnvironment(),
		stdio: ['ignore', 'pipe', 'inherit']
	});
	shell.once('exit', () => signalGroup(Number(shell.pid), 'SIGKILL'));
	const [stdout, [code]] = await Promise.all([text(shell.stdout), once(shell, 'close') as Promise<[number | null]>]);
	return { code, stdout };
}

function setVersion(file: string, { name, range }: { name: string; range: string }): void {
	const description = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> };
	description.dependencies[name] = range;
	writeFileSync(file, JSON.stringify(description));
}

const noRegistry = registryProblem();
const wanted = (process.env['SOAK_NAMES'] ?? '').split(' ').filter((name) => name !== '');
const chosen = FRAMEWORKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

it.skipIf(noRegistry).each(chosen)(`$name builds, serves and develops as it does natively${noRegistry}`, async (it) => {
	const directory = mkdtempSync(path.join(tmpdir(), `sandglass-${it.name}-`));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	cpSync(path.join(import.meta.dirname, it.directory ?? it.name), directory, { recursive: true });
	if (it.version) setVersion(path.join(directory, 'package.json'), it.version);
	sandbox = await openSandboxPage({ registry: true });
	await sandbox.load(directory, '/workspace/app');
	for (const [step, command] of steps(it)) {
		const expected = await natively(directory, command);
		expect(expected.code, `${step} fails natively`).toBe(0);
		const started = performance.now();
		const found = await sandbox.exec(`cd /workspace/app && ${command}`, STEP_MS);
		console.log(`${it.name} ${step}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
		const said = await sandbox.exec(`tail -n 40 /workspace/app/*.log`);
		expect({ code: found.exitCode, stdout: found.stdout }, `${step}\n${said.stdout}`).toEqual(expected);
	}
});
