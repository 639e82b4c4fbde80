import { afterEach, describe, expect, it } from 'vitest';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import { KEPT_OUTPUT } from '#computer/abi/limits.ts';
import kernelUrl from '#computer/kernel/main.ts?program';
import evaluateUrl from './fixtures/evaluate.ts?program';

const evaluating = {
	kernelUrl,
	programs: [{ name: 'evaluate', commands: ['bash'], hot: true, url: evaluateUrl }],
	assets: {}
};

describe('when something fails', () => {
	let sandbox: WasmExecutionEnvironment;
	afterEach(async () => {
		await sandbox.cleanup();
		expect(document.querySelectorAll('iframe[title="Sandbox"]')).toHaveLength(0);
	});

	it('says so when the frame does not answer', async () => {
		sandbox = createWasmEnvironment({ frameUrl: '/no-such-frame', patienceMs: 300 });
		await expect(sandbox.initialize()).rejects.toMatchObject({
			name: 'EnvironmentError',
			code: 'EUNAVAILABLE',
			message: expect.stringMatching(/did not answer.*reload/i)
		});
	});

	it('says so when the kernel cannot be fetched', async () => {
		sandbox = createWasmEnvironment({ sandbox: { ...evaluating, kernelUrl: 'http://localhost:1/none' } });
		await expect(sandbox.exec('1')).rejects.toMatchObject({ code: 'EUNAVAILABLE' });
	});

	it('lives in a frame that is laid out in view, or browsers would give it what others leave; no one sees or reaches it', async () => {
		sandbox = createWasmEnvironment({ sandbox: evaluating });
		await sandbox.initialize();
		const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Sandbox"]');
		if (!frame) throw new Error('There is no frame.');
		const { left, top, right, bottom, width, height } = frame.getBoundingClientRect();
		expect([width, height]).toEqual([1, 1]);
		expect(left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight).toBe(true);
		expect(frame.checkVisibility()).toBe(true);
		expect(getComputedStyle(frame).opacity).toBe('0');
		frame.focus();
		expect(document.activeElement).not.toBe(frame);
	});

	it('ends a process whose worker fails outside its own control', async () => {
		sandbox = createWasmEnvironment({ sandbox: evaluating });
		const { stderr, exitCode } = await sandbox.exec(
			'return new Promise(() => setTimeout(() => { throw new Error("out of nowhere") }))'
		);
		expect(stderr).toContain('out of nowhere');
		expect(exitCode).toBe(1);
		expect((await sandbox.exec('return 1')).stdout).toBe('1');
	});

	it('ends a program that cannot be loaded, saying which', async () => {
		const programs = [{ name: 'evaluate', commands: ['bash'], hot: false, url: 'http://localhost:1/none' }];
		sandbox = createWasmEnvironment({ sandbox: { ...evaluating, programs } });
		const { stderr, exitCode } = await sandbox.exec('1');
		expect(stderr).toMatch(/evaluate could not be loaded/);
		expect(exitCode).toBe(1);
	});

	it('tells who uses it when the frame is taken away, and ends what ran', async () => {
		const reasons: string[] = [];
		sandbox = createWasmEnvironment({
			sandbox: evaluating,
			onCrash: (reason) => reasons.push(reason)
		});
		const process = await sandbox.start('return new Promise(() => {})');
		document.querySelector('iframe[title="Sandbox"]')?.remove();
		expect((await process.exited).exitCode).toBe(137);
		expect(reasons).toEqual([expect.stringMatching(/frame/)]);
		expect((await process.exited).stderr).toMatch(/sandbox has stopped.*frame.*Run the command again/s);
	});

	it('starts again after the frame is gone, with every file, empty directory, link, mode and snapshot', async () => {
		sandbox = createWasmEnvironment({ sandbox: evaluating });
		const seen: number[] = [];
		sandbox.onChange(({ seq }) => seen.push(seq));
		await sandbox.writeFile('deep/old', 'first');
		await sandbox.writeFile('gone/file', 'x');
		const before = await sandbox.snapshot();
		await sandbox.exec(`
			const { sync } = context;
			const bytes = (text) => new TextEncoder().encode(text);
			sync.writeFile('/workspace/run', bytes('by a program'), { mode: 0o755 });
			sync.link('/workspace/run', '/workspace/again');
			sync.appendFile('/workspace/run', bytes(', twice'));
			sync.symlink('run', '/workspace/link');
			sync.mkdir('/workspace/empty');
			sync.rename('/workspace/deep', '/workspace/moved');
			sync.remove('/workspace/gone', { recursive: true });
			sync.writeFile('/tmp/t', bytes('temporary'));`);
		await sandbox.writeFile('moved/old', 'second');
		const tree = await sandbox.listDirectory('.', 5);
		const { id } = await sandbox.snapshot();
		const { exited } = await sandbox.start('return new Promise(() => {})');
		document.querySelector('iframe[title="Sandbox"]')?.remove();
		expect((await exited).exitCode).toBe(137);
		const changes = seen.length;

		const strip = ({ path, kind, mode, size }: (typeof tree)[number]) => ({ path, kind, mode, size });
		expect((await sandbox.listDirectory('.', 5)).map(strip)).toEqual(tree.map(strip));
		expect(await sandbox.readFile('again')).toBe('by a program, twice');
		expect(await sandbox.readLink('link')).toBe('run');
		expect(await sandbox.readFile('/tmp/t')).toBe('temporary');
		expect((await sandbox.snapshot()).id).toBe(id);
		expect((await sandbox.exec('return 6 * 7')).stdout).toBe('42');
		expect(seen).toHaveLength(changes);
		await sandbox.restore(before);
		expect(await sandbox.readFile('deep/old')).toBe('first');
		expect(await sandbox.readFile('gone/file')).toBe('x');
		expect((await sandbox.snapshot()).id).toBe(before.id);
		expect(seen).toEqual(seen.map((_, index) => index + 1));
	});

	it('keeps the beginning and the end of what a program prints without end, and lets it wait meanwhile', async () => {
		sandbox = createWasmEnvironment({ sandbox: evaluating });
		const stop = new AbortController();
		let streamed = 0;
		const { stdout, exitCode } = await sandbox.exec(
			`const line = new TextEncoder().encode('0123456789abcde\\n'.repeat(8192));
			context.sync.write(1, new TextEncoder().encode('begin'));
			for (;;) context.sync.write(1, line);`,
			{
				signal: stop.signal,
				onOutput: ({ data }) => {
					streamed += data.length;
					if (streamed > 2 * KEPT_OUTPUT) stop.abort();
				}
			}
		);
		expect(exitCode).toBe(130);
		expect(streamed).toBeGreaterThan(2 * KEPT_OUTPUT);
		// Output that was in flight when it was stopped is limited, too.
		expect(streamed).toBeLessThan(2 * KEPT_OUTPUT + 4 * 1024 * 1024);
		expect(stdout.length).toBeLessThan(KEPT_OUTPUT + 1000);
		expect(stdout.length).toBeGreaterThan(KEPT_OUTPUT);
		expect(stdout.slice(0, 9)).toBe('begin0123');
		expect(stdout.slice(-17)).toMatch(/\n0123456789abcde\n$/);
		expect(stdout).toMatch(/\n\[\d+ characters are left out here: .*16 MB are kept/);
	});

	it('refuses what the egress option refuses, with its code', async () => {
		sandbox = createWasmEnvironment({ sandbox: evaluating });
		const { stdout } = await sandbox.exec(`
			try { context.sync.fetch({ method: 'GET', url: 'https://example.org/', headers: [], body: null, purpose: 'fetch' }); }
			catch (error) { return [error.code, error.message]; }`);
		expect(JSON.parse(stdout)).toEqual(['ECONNREFUSED', expect.stringContaining('https://example.org/')]);
	});

	it('finds nothing where there is nothing to search', async () => {
		sandbox = createWasmEnvironment();
		expect(await sandbox.grep('x', '.')).toBe('');
		await expect(sandbox.grep('(', '.')).rejects.toMatchObject({ code: 'EINVAL' });
	});

	it('opens and closes many sandboxes without leaving a frame behind', async () => {
		for (let i = 0; i < 5; i++) {
			const one = createWasmEnvironment({ sandbox: evaluating });
			expect((await one.exec('return 6 * 7')).stdout).toBe('42');
			await one.cleanup();
		}
		sandbox = createWasmEnvironment({ sandbox: evaluating });
	});
});
