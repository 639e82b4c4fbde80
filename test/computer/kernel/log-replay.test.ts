import { beforeEach, describe, expect, it, vi } from 'vitest';
import { errno } from '#computer/abi/errno.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { createHandlers } from '#computer/kernel/calls/handlers.ts';
import { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import type { Process } from '#computer/kernel/processes/process.ts';
import { WorkerPool } from '#computer/kernel/processes/worker-pool.ts';
import { LogReplay } from '#computer/kernel/detached/log-replay.ts';
import { packVolume, unpackVolume } from '#computer/volume/pack.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import type { ToProcess } from '#computer/abi/wire.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const call = (name: string, args: unknown[], as: unknown[] = []) => ({ name, args, as });

let computer: KernelComputer;
let volume: Volume;
let process: Process;
let told: ToProcess[];
let replay: LogReplay;
beforeEach(() => {
	const nowhere = () => Promise.reject(new Error('there is nothing outside'));
	volume = createVolume(['bash']);
	const pool = new WorkerPool('blob', [], nowhere);
	const outside = { fetch: nowhere, asset: nowhere, preview: nowhere, module: nowhere };
	computer = new KernelComputer(volume, new Map([['bash', 'shell']]), pool, outside, null);
	const nothing = new NullDescription();
	process = computer.table.add({ argv: ['x'], cwd: '/', env: {}, streams: [nothing, nothing, nothing] });
	told = [];
	replay = new LogReplay(computer, process, createHandlers(computer), (message) => told.push(message));
});

describe('the log of a process that shares no memory', () => {
	it('does in the kernel what the process did, in order, and only once', () => {
		const log = [call('writeFile', ['/workspace/a', bytes('a')]), call('appendFile', ['/workspace/a', bytes('b')])];
		replay.replay(1, log);
		replay.replay(1, log);
		expect(new TextDecoder().decode(volume.readFile('/workspace/a'))).toBe('ab');
		expect(told.flatMap((message) => (message.kind === 'changes' ? message.changes : []))).toEqual([]);
	});

	it('tells the process what others did, and up to where its own log was seen', async () => {
		replay.replay(1, [call('writeFile', ['/workspace/own', bytes('own')])]);
		volume.writeFile('/workspace/other', bytes('other'));
		await Promise.resolve();
		expect(told).toMatchObject([
			{ kind: 'changes', applied: 1, changes: [{ path: '/workspace/other', kind: 'write', bytes: bytes('other') }] }
		]);
	});

	it('still takes what a process had written when it was killed, and nothing else of it', () => {
		computer.table.end(process, { code: 137, signal: 'SIGKILL' });
		replay.replay(1, [
			call('writeFile', ['/workspace/late', bytes('x')]),
			call('spawn', [{}]),
			call('pipe', [], [600, 601])
		]);
		expect(volume.stat('/workspace/late').size).toBe(1);
		expect(process.has(600)).toBe(false);
	});

	it.each<[what: string, calls: unknown]>([
		['a path of the system', [call('writeFile', ['/usr/bin/bash', bytes('x')])]],
		[
			'a path through a link',
			[call('symlink', ['/usr/bin', '/workspace/out']), call('writeFile', ['/workspace/out/bash', bytes('x')])]
		],
		['arguments of another kind', [call('writeFile', ['/workspace/a', 'text'])]],
		['a call that is none', [call('constructor', []), call('__proto__', [])]],
		['a descriptor that is not its own to number', [call('pipe', [], [0, 1])]],
		['a descriptor of two that is not its own', [call('pipe', [], [600, 1])]],
		['a descriptor of a file that is not its own', [call('openFile', ['/usr/bin/bash', 'read'], [0])]],
		['a descriptor out of range', [call('pipe', [], [5000, 5001])]],
		['a pid that was not put aside for it', [call('spawn', [{ argv: ['bash'], cwd: '/', env: {} }], [2])]],
		['no calls at all', { length: 1, 0: call('mkdir', ['/workspace/d']) }],
		['calls that are none', [null, undefined, 1, 'x', []]]
	])('takes no log that a process may not have made: %s', (_what, calls) => {
		const before = computer.table.list().length;
		replay.replay(1, calls);
		expect(volume.readFile('/usr/bin/bash')).toEqual(
			bytes('# This command is part of the sandbox.\nexec -a "$0" /usr/bin/bash "$@"\n')
		);
		expect(volume.readdir('/workspace').filter(({ name }) => name !== 'out')).toEqual([]);
		expect(computer.table.list()).toHaveLength(before);
		expect(process.descriptor(0)).toBeInstanceOf(NullDescription);
		expect(process.has(5000)).toBe(false);
		expect(process.has(600)).toBe(false);
	});

	it('gives what a call opened the numbers that the process knows it by, and no other', () => {
		volume.writeFile('/workspace/a', bytes('text'));
		replay.replay(1, [call('pipe', [], [600, 601]), call('openFile', ['/workspace/a', 'read'], [602])]);
		const opened = [600, 601, 602].map((number) => process.has(number));
		expect(opened).toEqual([true, true, true]);
		expect([3, 4, 5, 6].some((number) => process.has(number))).toBe(false);
		replay.replay(2, [call('close', [601]), call('close', [602])]);
		return replay.written().then(() => {
			expect([600, 601, 602].map((number) => process.has(number))).toEqual([true, false, false]);
		});
	});

	it('is taken from its first part on, without a gap and without one twice', () => {
		for (const version of [0, 2, -1, 1.5, '1', undefined]) replay.replay(version, [call('mkdir', ['/workspace/d'])]);
		expect(volume.readdir('/workspace')).toEqual([]);
		replay.replay(1, []);
		replay.replay(2, [call('mkdir', ['/workspace/d'])]);
		expect(volume.readdir('/workspace')).toHaveLength(1);
	});

	it('tells the process of one file only what it holds in the end, in the order of the others', () => {
		volume.writeFile('/workspace/a', bytes('1'));
		volume.writeFile('/workspace/a', bytes('2'));
		volume.writeFile('/workspace/b', bytes('3'));
		volume.writeFile('/workspace/a', bytes('4'));
		replay.flush();
		const changes = told.flatMap((message) => (message.kind === 'changes' ? message.changes : []));
		expect(changes.map(({ path, bytes: written }) => `${path} ${new TextDecoder().decode(written)}`)).toEqual([
			'/workspace/a 2',
			'/workspace/b 3',
			'/workspace/a 4'
		]);
		replay.flush();
		expect(told).toHaveLength(1);
	});

	it('tells the process of a mode beside the contents, of each change once, and in bytes of its own', () => {
		volume.writeFile('/workspace/a', bytes('one'));
		volume.chmod('/workspace/a', 0o755);
		replay.flush();
		volume.writeFile('/workspace/b', bytes('two'));
		replay.flush();
		const changes = told.map((message) => (message.kind === 'changes' ? message.changes : []));
		expect(changes.map((each) => each.map(({ kind, path }) => `${kind} ${path}`))).toEqual([
			['write /workspace/a', 'mode /workspace/a'],
			['write /workspace/b']
		]);
		changes[1]?.[0]?.bytes?.fill(0);
		expect(volume.readFile('/workspace/b')).toEqual(bytes('two'));
		volume.writeFile('/workspace/c', bytes('three'));
		computer.table.end(process, { code: 0, signal: null });
		replay.flush();
		expect(told).toHaveLength(2);
	});

	it('tells it each time that something happened, and nothing after it ended or was closed', async () => {
		volume.writeFile('/workspace/a', bytes('1'));
		await Promise.resolve();
		volume.writeFile('/workspace/b', bytes('2'));
		await Promise.resolve();
		expect(told).toHaveLength(2);
		replay.close();
		volume.writeFile('/workspace/c', bytes('3'));
		await Promise.resolve();
		expect(told).toHaveLength(2);
	});

	it('reports on the errors of the process what came too late, while there is a process', async () => {
		const said: string[] = [];
		const errors = Object.assign(new NullDescription(), {
			write: (written: Uint8Array) => void said.push(new TextDecoder().decode(written))
		});
		const nothing = new NullDescription();
		const late = computer.table.add({ argv: ['tool', 'x'], cwd: '/', env: {}, streams: [nothing, nothing, errors] });
		const own = new LogReplay(computer, late, createHandlers(computer), () => undefined);
		own.replay(1, [call('rmdir', ['/workspace/none']), call('stat', ['relative'])]);
		await Promise.resolve();
		await Promise.resolve();
		expect(said).toEqual([
			expect.stringMatching(/^tool: rmdir came too late: ENOENT: .+\n$/),
			'tool: stat came too late: EINVAL: stat: argument 1 is not what it should be\n'
		]);
		computer.table.end(late, { code: 0, signal: null });
		own.replay(2, [call('rmdir', ['/workspace/none'])]);
		await Promise.resolve();
		await Promise.resolve();
		expect(said).toHaveLength(2);
		own.close();
	});

	/** A process whose output is taken when the test says so, and what it wrote. */
	function behind() {
		const [written, said]: string[][] = [[], []];
		const takes: (() => void)[] = [];
		const nothing = new NullDescription();
		const output = Object.assign(new NullDescription(), {
			write: (part: Uint8Array) =>
				new Promise<void>((resolve) => takes.push(resolve)).then(
					() => void written?.push(new TextDecoder().decode(part))
				)
		});
		const errors = Object.assign(new NullDescription(), {
			write: (part: Uint8Array) => void said?.push(new TextDecoder().decode(part))
		});
		const slow = computer.table.add({ argv: ['tool'], cwd: '/', env: {}, streams: [nothing, output, errors] });
		const own = new LogReplay(computer, slow, createHandlers(computer), () => undefined);
		const settled = () => new Promise((resolve) => setImmediate(resolve));
		return { own, slow, written, said, settled, take: () => takes.shift()?.() };
	}

	it('keeps writes and the end of one descriptor in order while its reader is behind', async () => {
		const { own, slow, written, settled, take } = behind();
		own.replay(1, [call('write', [1, bytes('one')]), call('write', [1, bytes('two')]), call('close', [1])]);
		await settled();
		expect(own.inOrder('read', [1], () => 'at once')).toBe('at once');
		take();
		await settled();
		expect([written, slow.has(1)]).toEqual([['one'], true]);
		const later = own.inOrder('write', [1], () => 'later');
		expect(later).toBeInstanceOf(Promise);
		take();
		await own.written();
		expect([written, slow.has(1), await later]).toEqual([['one', 'two'], false, 'later']);
		await settled();
		expect(own.inOrder('write', [1], () => 'at once')).toBe('at once');
		own.close();
	});

	it('complains of what was refused by its code, and of nothing else', async () => {
		const { own, said, settled } = behind();
		own.replay(1, [
			call('constructor', []),
			7 as never,
			call('mkdir', ['/workspace/d'], [0]),
			call('stat', ['/workspace/d'], [0]),
			call('pipe', [], [0, 1]),
			call('spawn', [{ argv: ['bash'], cwd: '/', env: {} }], [2])
		]);
		await settled();
		expect(volume.readdir('/workspace').map(({ name }) => name)).toEqual(['d']);
		expect(said).toEqual([
			expect.stringMatching(/^tool: pipe came too late: EMFILE: /),
			expect.stringMatching(/^tool: spawn came too late: EAGAIN: /)
		]);
		own.close();
	});

	it('ends the process once all that it wrote has been taken', async () => {
		const ended: string[] = [];
		const output = new NullDescription();
		let take = () => {};
		output.write = () => new Promise<void>((resolve) => (take = resolve)).then(() => void ended.push('taken'));
		const nothing = new NullDescription();
		const ending = computer.table.add({ argv: ['x'], cwd: '/', env: {}, streams: [nothing, output, nothing] });
		const own = new LogReplay(computer, ending, createHandlers(computer), () => undefined);
		own.replay(1, [call('write', [1, bytes('last words')]), call('exit', [3])]);
		await Promise.resolve();
		expect(ending.ended).toBeFalsy();
		take();
		await own.written();
		await expect.poll(() => Boolean(ending.ended)).toBe(true);
		expect(ended).toEqual(['taken']);
		own.close();
	});

	it('ends a process by SIGPIPE whose reader is gone, and names any other failure of a write', async () => {
		for (const [code, signals, said] of [
			['EPIPE', ['SIGPIPE'], []],
			['EIO', [], [expect.stringMatching(/^tool: write came too late: EIO: .+\n$/)]]
		] as const) {
			const nothing = new NullDescription();
			const output = Object.assign(new NullDescription(), { write: () => Promise.reject(errno(code)) });
			const lines: string[] = [];
			const errors = Object.assign(new NullDescription(), {
				write: (written: Uint8Array) => void lines.push(new TextDecoder().decode(written))
			});
			const writing = computer.table.add({ argv: ['tool'], cwd: '/', env: {}, streams: [nothing, output, errors] });
			const kill = vi.spyOn(computer.table, 'kill');
			const own = new LogReplay(computer, writing, createHandlers(computer), () => undefined);
			own.replay(1, [call('write', [1, bytes('x')])]);
			await own.written();
			await expect.poll(() => lines).toEqual(said);
			expect(kill.mock.calls).toEqual(signals.map((signal) => [writing.pid, signal]));
			kill.mockRestore();
			own.close();
		}
	});

	it('makes a call that is waited for after what was written before it, to the same descriptor', async () => {
		let version = 1;
		for (const [name, args] of [
			['write', [1]],
			['close', [1]],
			['exit', [0]]
		] as const) {
			replay.replay(version++, [call('write', [1, bytes('a')])]);
			const waited = replay.inOrder(name, [...args], () => 'later');
			expect(waited, name).toBeInstanceOf(Promise);
			expect(await waited).toBe('later');
		}
		expect(replay.inOrder('stat', ['/workspace'], () => 'at once')).toBe('at once');
		expect(replay.inOrder('write', [2], () => 'at once')).toBe('at once');
	});
});

it('packs a volume into one buffer and takes it out again as it was, each file on its own', () => {
	volume.mkdir('/workspace/d');
	volume.writeFile('/workspace/d/a', bytes('first'), { mode: 0o755 });
	volume.writeFile('/workspace/b', bytes('second'));
	volume.link('/workspace/b', '/workspace/c');
	volume.symlink('d/a', '/workspace/link');
	volume.writeFile('/workspace/__proto__', bytes('named like it'));
	const copy = unpackVolume(packVolume(volume));
	const text = (path: string) => new TextDecoder().decode(copy.readFile(path));
	expect(['/workspace/link', '/workspace/c', '/workspace/__proto__'].map(text)).toEqual([
		'first',
		'second',
		'named like it'
	]);
	expect(copy.stat('/workspace/d/a')).toMatchObject({ mode: 0o100755, size: 5 });
	copy.writeAt('/workspace/d/a', bytes('F'), 0);
	copy.appendFile('/workspace/c', bytes('!'));
	expect(['/workspace/d/a', '/workspace/b', '/workspace/__proto__'].map(text)).toEqual([
		'First',
		'second!',
		'named like it'
	]);
	expect(new TextDecoder().decode(volume.readFile('/workspace/d/a'))).toBe('first');
	expect(copy.used).toBe(volume.used + 1);
});
