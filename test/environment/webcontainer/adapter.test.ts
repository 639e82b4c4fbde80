import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileChange } from '#environment/contract.ts';
import { WebContainerExecutionEnvironment } from '#environment/webcontainer/environment.ts';
import { codeOf, entriesOf, until } from '#test/contract/environment/checks.ts';
import { StandIn } from './stand-in.ts';

describe('WebContainerExecutionEnvironment', () => {
	let standIn: StandIn;
	let environment: WebContainerExecutionEnvironment;
	beforeEach(async () => {
		standIn = await StandIn.boot();
		environment = new WebContainerExecutionEnvironment({ boot: async () => standIn.container });
		await environment.initialize();
	});
	afterEach(async () => {
		await environment.cleanup();
		await standIn.dispose();
	});

	it('knows files by the names they have on the built-in computer', async () => {
		await environment.writeFile('/workspace/a.txt', 'a');
		expect(await environment.readFile('a.txt')).toBe('a');
		await environment.writeFile('~/b.txt', 'b');
		expect(await environment.readFile('/home/user/b.txt')).toBe('b');
		expect((await environment.exec('cat ~/b.txt')).stdout).toBe('b');
		expect(await codeOf(environment.readFile('/workspace/../../../../etc/passwd'))).toBe('EACCES');
	});

	it('keeps its own files out of reach and out of the project', async () => {
		expect(await codeOf(environment.readFile('../.sandglass/files.mjs'))).toBe('EACCES');
		expect(await environment.listDirectory('.', 5)).toEqual([]);
	});

	it('reads and writes below /tmp, which the file interface does not reach', async () => {
		const { stdout } = await environment.exec('mktemp -d /tmp/sandglass-XXXXXX');
		const directory = stdout.trim();
		await environment.writeFile(`${directory}/a.txt`, 'from outside');
		expect((await environment.exec(`cat ${directory}/a.txt`)).stdout).toBe('from outside');
		expect(await environment.readFile(`${directory}/a.txt`)).toBe('from outside');
		await environment.remove(directory, { recursive: true });
	});

	it('asks questions and gets answers too long for a terminal', async () => {
		const files = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`${'é'.repeat(60)}/${n}.txt`, `${n}`]));
		await environment.load(entriesOf(files));
		expect(await environment.listDirectory('.', 2)).toHaveLength(701);
		const long = 'x'.repeat(50_000);
		expect((await environment.exec(`printf ${long}`)).stdout).toBe(long);
		expect((await environment.exec('cat', { stdin: long })).stdout).toBe(long);
		const process = await environment.start('cat');
		await process.write(long);
		await process.closeInput();
		expect((await process.exited).stdout).toBe(long);
	});

	it('journals what a background process writes while it runs', async () => {
		const changes: FileChange[] = [];
		environment.onChange((change) => changes.push(change));
		const process = await environment.start('echo one > log.txt; while [ ! -f stop ]; do sleep 0.05; done');
		await until(() => changes.some(({ path }) => path.endsWith('/log.txt')));
		await environment.writeFile('stop', '');
		await process.exited;
		await until(() => changes.some(({ path }) => path.endsWith('/stop')));
		expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
	});

	it('journals what is done in a terminal', async () => {
		const changes: FileChange[] = [];
		environment.onChange((change) => changes.push(change));
		const terminal = await environment.openTerminal({ columns: 80, rows: 24 });
		terminal.write('echo typed > typed.txt\r');
		await until(() => changes.some(({ path, bytes }) => path.endsWith('/typed.txt') && bytes?.length === 6));
		await terminal.close();
	});

	it('shows a terminal that it is one', async () => {
		const terminal = await environment.openTerminal({ columns: 80, rows: 24 });
		let screen = '';
		terminal.onData((data) => (screen += data));
		terminal.write('test -t 0 && echo is-"a"-tty\r');
		await until(() => screen.includes('is-a-tty'));
		await terminal.close();
	});

	it('tells a terminal its new size', async () => {
		const terminal = await environment.openTerminal({ columns: 80, rows: 24 });
		terminal.resize({ columns: 100, rows: 30 });
		expect(standIn.sizes).toEqual([{ cols: 100, rows: 30 }]);
		await terminal.close();
		terminal.resize({ columns: 10, rows: 3 });
		expect(standIn.sizes).toHaveLength(1);
	});

	it('reports servers that are ready, also to those who ask later, and no more those that ended', async () => {
		const seen: number[] = [];
		const stop = environment.onServerReady(({ port }) => seen.push(port));
		standIn.emit('server-ready', 3000, 'https://3000.example');
		standIn.emit('server-ready', 3001, 'https://3001.example');
		standIn.emit('port', 3000, 'close', 'https://3000.example');
		const later: unknown[] = [];
		environment.onServerReady((server) => later.push(server));
		stop();
		standIn.emit('server-ready', 3002, 'https://3002.example');
		expect(seen).toEqual([3000, 3001]);
		expect(later).toEqual([
			{ port: 3001, url: 'https://3001.example' },
			{ port: 3002, url: 'https://3002.example' }
		]);
		await environment.cleanup();
		standIn.emit('server-ready', 3003, 'https://3003.example');
		expect(later).toHaveLength(2);
	});

	it('restores a file where a link stood without writing through the link', async () => {
		await environment.load(entriesOf({ 'a.txt': 'a', 'b.txt': 'b' }));
		const before = await environment.snapshot();
		await environment.exec('rm a.txt; ln -s b.txt a.txt; rm b.txt; mkdir b.txt; echo x > b.txt/c');
		await environment.restore(before);
		expect((await environment.snapshot()).id).toBe(before.id);
		expect(await environment.readFile('b.txt')).toBe('b');
		expect((await environment.stat('a.txt')).kind).toBe('file');
	});

	it('rejects everything when the container is gone, and still cleans up', async () => {
		await environment.writeFile('a.txt', 'a');
		let begun = (): void => undefined;
		const hasBegun = new Promise<void>((resolve) => (begun = resolve));
		const running = environment.exec('echo on; sleep 60', { onOutput: () => begun() });
		await hasBegun;
		standIn.endProcesses();
		expect((await running.catch(() => ({ exitCode: 1 }))).exitCode).toBeGreaterThan(0);
		expect(await codeOf(environment.readFile('a.txt'))).toBe('EIO');
		await environment.cleanup();
		expect(standIn.isTornDown).toBe(true);
	});

	it('says so when Node does not run in the container', async () => {
		const broken = await StandIn.boot();
		await broken.forget('node');
		const failing = new WebContainerExecutionEnvironment({ boot: async () => broken.container });
		expect(await codeOf(failing.initialize())).toBe('EUNAVAILABLE');
		expect(broken.isTornDown).toBe(true);
		await broken.dispose();
	});
});
