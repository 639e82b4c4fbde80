import { describe, expect, it } from 'vitest';
import { checkArguments } from '#computer/abi/arguments.ts';
import { isSyscallName, SYSCALL_NAMES } from '#computer/abi/call-names.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { SyscallName } from '#computer/abi/syscalls.ts';

/** Values that a hostile process may send instead, by type of the argument. */
const NOT = {
	path: [undefined, null, 1, {}, [], '', 'relative', './a', '/a\0b', ['/a']],
	place: [undefined, null, 1, {}, [], '', 'relative', '/a\0b', '\0', '\0a\0b'],
	text: [undefined, null, 1, {}, [], 'a\0b'],
	bytes: [undefined, null, 'text', [1], { length: 1 }, new ArrayBuffer(1), new Uint16Array(1)],
	whole: [undefined, null, '1', 1.5, NaN, Infinity, 2 ** 53, {}],
	count: [undefined, null, '1', 1.5, -1, NaN, Infinity, 2 ** 53],
	time: [undefined, null, '1', NaN, Infinity, new Date()],
	boolean: ['true', 1, 0, {}],
	signal: [undefined, null, 1, 'SIGNAL', 'kill', {}],
	record: ['text', 1, true, []]
};

const optional = (values: unknown[]): unknown[] => values.filter((value) => value !== undefined && value !== null);
const optionalCount = optional(NOT.count);
const bytes = new Uint8Array(1);
const recursive = [...NOT.record, { recursive: 1 }, { force: 'yes' }, { mode: -1 }, { mode: '755' }];

/** Arguments that each call accepts, and for each of them values that it rejects. */
const CALLS: Record<SyscallName, [good: unknown, bad: unknown[]][]> = {
	stat: [['/a', NOT.path]],
	lstat: [['/a', NOT.path]],
	statOrNull: [['/a', NOT.path]],
	readdir: [['/a', NOT.path]],
	readFile: [
		['/a', NOT.path],
		[0, optionalCount],
		[10, optionalCount]
	],
	load: [
		['/a', NOT.path],
		[
			[{ path: 'b', mode: 0o644, size: 1 }],
			[
				undefined,
				{},
				[null],
				[[]],
				[{ path: 'b', mode: 0o644 }],
				[{ path: 'b', size: 1 }],
				[{ mode: 0, size: 0 }],
				[{ path: 'b\0', mode: 0, size: 0 }],
				[{ path: 'b', mode: -1, size: 0 }],
				[{ path: 'b', mode: 0, size: -1 }]
			]
		],
		[bytes, NOT.bytes]
	],
	writeFile: [
		['/a', NOT.path],
		[bytes, NOT.bytes],
		[{ mode: 0o600, exclusive: true }, [...NOT.record, { mode: -1 }, { exclusive: 1 }]]
	],
	appendFile: [
		['/a', NOT.path],
		[bytes, NOT.bytes],
		[0o600, optionalCount]
	],
	writeAt: [
		['/a', NOT.path],
		[bytes, NOT.bytes],
		[0, NOT.count]
	],
	truncate: [
		['/a', NOT.path],
		[0, NOT.count]
	],
	mkdir: [
		['/a', NOT.path],
		[{ recursive: true, mode: 0o700 }, recursive]
	],
	rmdir: [['/a', NOT.path]],
	unlink: [['/a', NOT.path]],
	remove: [
		['/a', NOT.path],
		[{ recursive: true, force: false }, recursive]
	],
	rename: [
		['/a', NOT.path],
		['/b', NOT.path]
	],
	copy: [
		['/a', NOT.path],
		['/b', NOT.path],
		[{ recursive: true }, recursive]
	],
	readlink: [['/a', NOT.path]],
	symlink: [
		['../a', NOT.text],
		['/b', NOT.path]
	],
	mkfifo: [
		['/a', NOT.path],
		[0o644, optionalCount]
	],
	link: [
		['/a', NOT.path],
		['/b', NOT.path]
	],
	realpath: [['/a', NOT.path]],
	chmod: [
		['/a', NOT.path],
		[0o644, NOT.count]
	],
	utimes: [
		['/a', NOT.path],
		[1.5, NOT.time],
		[-1, NOT.time]
	],
	readSmallFiles: [
		[
			['/a', '/b'],
			[undefined, '/a', ['/a', 'b'], [null]]
		],
		[10, NOT.count]
	],
	changedSince: [[-1, NOT.whole]],
	walk: [
		['/a', NOT.path],
		[
			{ skip: ['.git'], skipDirectories: [] },
			[...NOT.record, { skip: '.git' }, { skip: [1] }, { skipDirectories: ['a\0'] }]
		]
	],
	openFile: [
		['/a', NOT.path],
		['append', [undefined, null, 'r', '', 0, ['read']]]
	],
	opened: [[3, NOT.count]],
	lockRange: [
		[3, NOT.count],
		[0, NOT.count],
		[1, NOT.count],
		['shared', [undefined, null, 'read', '', 0, ['shared']]]
	],
	read: [
		[0, NOT.count],
		[10, NOT.count]
	],
	unread: [
		[0, NOT.count],
		[bytes, NOT.bytes]
	],
	write: [
		[1, NOT.count],
		[bytes, NOT.bytes]
	],
	poll: [
		[
			[{ descriptor: 3, reads: true, writes: false }],
			[
				...[undefined, null, 'text', 1, {}, [{}], [{ descriptor: -1, reads: true, writes: true }]],
				...[[{ descriptor: 1, reads: 1, writes: true }], [{ descriptor: 1, reads: true }]]
			]
		],
		[0, NOT.count]
	],
	close: [[0, NOT.count]],
	pipe: [],
	socketPair: [],
	listen: [
		['localhost', NOT.text],
		[0, NOT.count]
	],
	listenAt: [['/tmp/socket', NOT.place]],
	accept: [[3, NOT.count]],
	connect: [
		['localhost', NOT.text],
		[80, NOT.count]
	],
	connectTo: [['\0socket', NOT.place]],
	shutdown: [[3, NOT.count]],
	ports: [],
	bindDatagrams: [
		[4, [undefined, null, 5, '4', [4]]],
		['127.0.0.1', NOT.text],
		[0, NOT.count],
		[{ reuse: true, only6: false }, [...NOT.record, { reuse: 1 }, { only6: 'no' }]]
	],
	connectDatagrams: [
		[3, NOT.count],
		['127.0.0.1', optional(NOT.text)],
		[9, NOT.count]
	],
	sendDatagram: [
		[3, NOT.count],
		[bytes, NOT.bytes],
		['127.0.0.1', optional(NOT.text)],
		[9, NOT.count]
	],
	receiveDatagram: [[3, NOT.count]],
	datagramSettings: [
		[3, NOT.count],
		[
			{ broadcast: true, loopback: false, receiveBytes: 9, join: '224.0.0.1', leave: 'a', source: 'b' },
			[
				...[undefined, null, ...NOT.record],
				...[{ broadcast: 1 }, { loopback: 'no' }, { receiveBytes: -1 }, { join: 1 }, { leave: {} }, { source: 'a\0' }]
			]
		]
	],
	handOver: [
		[3, NOT.count],
		[2, NOT.count]
	],
	takeOver: [[1, NOT.count]],
	isTerminal: [[0, NOT.count]],
	terminalSize: [],
	terminalMode: [['raw', [undefined, 'cbreak', '', 0]]],
	terminalSettings: [
		[
			{ lines: true, echo: false, signals: true, returnsAreFeeds: true, feedsReturn: false },
			[
				undefined,
				...NOT.record,
				{ lines: 1 },
				{ echo: 'no' },
				{ signals: 0 },
				{ returnsAreFeeds: 1 },
				{ feedsReturn: 1 }
			]
		],
		[true, NOT.boolean]
	],
	endReads: [],
	terminalForeground: [[1, NOT.count]],
	spawn: [[{ argv: ['sh'], cwd: '/', env: {} }, [undefined, ...NOT.record, {}]]],
	replace: [[{ argv: ['sh'], cwd: '/', env: {} }, [undefined, ...NOT.record, {}]]],
	waitPid: [[-1, NOT.whole]],
	kill: [
		[-2, NOT.whole],
		['SIGTERM', NOT.signal]
	],
	catchSignal: [
		['SIGINT', [...NOT.signal, 0]],
		[true, [undefined, ...NOT.boolean]],
		[false, NOT.boolean]
	],
	processes: [],
	exit: [[0, NOT.whole]],
	leave: [
		[0, NOT.whole],
		[1, optionalCount]
	],
	run: [
		[{ argv: ['sh'], cwd: '/', env: {}, input: bytes, timeoutMs: 5.5, maxBytes: 10 }, [undefined, ...NOT.record, {}]]
	],
	programs: [],
	fetch: [
		[
			{ method: 'GET', url: 'https://a.example', headers: [['a', 'b']], body: null, purpose: 'npm' },
			[undefined, ...NOT.record, {}]
		]
	],
	asset: [['a.wasm', NOT.text]],
	preview: [['{}', NOT.text]],
	fileSystems: [],
	now: []
};

const EVERY = Object.entries(CALLS) as [SyscallName, [unknown, unknown[]][]][];

/** The refusal of these arguments, or `taken`. */
function outcome(name: SyscallName, args: unknown): string {
	try {
		checkArguments(name, args);
		return 'taken';
	} catch (error) {
		if (error instanceof SyscallError) return `${error.code} ${error.message}`;
		throw error;
	}
}

describe('a call of a process', () => {
	it('is one of those listed, and no name that objects have', () => {
		expect(new Set(SYSCALL_NAMES)).toEqual(new Set(Object.keys(CALLS)));
		for (const name of SYSCALL_NAMES) expect(isSyscallName(name)).toBe(true);
		for (const name of ['', 'toString', '__proto__', 'constructor', 'STAT', 1, null, undefined, ['stat']])
			expect(isSyscallName(name)).toBe(false);
	});

	it.each(EVERY)('%s takes what it should', (name, args) => {
		expect(
			outcome(
				name,
				args.map(([good]) => good)
			)
		).toBe('taken');
		// Optional arguments also accept undefined.
		const least = args.map(([good, bad]) => (bad.includes(undefined) ? good : undefined));
		expect(outcome(name, least)).toBe('taken');
		expect(
			outcome(
				name,
				least.map((value) => value ?? null)
			)
		).toBe('taken');
		expect(outcome(name, undefined)).toBe(`EINVAL ${name}: no arguments`);
		expect(outcome(name, { length: 1, 0: '/a' })).toBe(`EINVAL ${name}: no arguments`);
	});

	it.each(EVERY)('%s refuses anything else, by the number of the argument', (name, args) => {
		for (const [position, [, bad]] of args.entries())
			for (const value of bad) {
				const sent = args.map(([good]) => good).with(position, value);
				expect(outcome(name, sent), `${name} ${position + 1} ${JSON.stringify(value)}`).toBe(
					`EINVAL ${name}: argument ${position + 1} is not what it should be`
				);
			}
	});

	it('kill takes 0, which only asks whether a process is there, and catchSignal does not', () => {
		expect(outcome('kill', [1, 0])).toBe('taken');
		expect(outcome('catchSignal', [0, true])).toMatch(/^EINVAL/);
	});

	const fields: [field: string, good: unknown[], bad: unknown[]][] = [
		['argv', [['sh', '-c', ''], ['a']], [undefined, [], 'sh', [1], ['a\0'], { 0: 'sh', length: 1 }]],
		['cwd', ['/', '/a/b'], NOT.path],
		['env', [{}, { A: '' }], [undefined, null, [], 'A=1', { A: 1 }, { A: 'a\0' }]],
		...['stdin', 'stdout', 'stderr'].map((name): [string, unknown[], unknown[]] => [
			name,
			[undefined, 'null', 0, 500],
			[-1, 1.5, 'inherit', '', null, {}]
		]),
		[
			'descriptors',
			[undefined, [], [[3, 0]], [[1023, 7]]],
			[[[2, 0]], [[1024, 0]], [[3]], [[3, 0, 0]], [[3, -1]], [['3', 0]], [3, 0], { 3: 0 }, [[3.5, 0]]]
		],
		['ignored', [undefined, [], ['SIGINT']], ['SIGINT', ['SIGNAL'], [2]]],
		['name', [undefined, 'sh'], [1, 'a\0', {}]],
		['group', [undefined, 0, 7], [-1, 1.5, '0']],
		['channel', [undefined, 0, 7], [-1, 1.5, '0']],
		['thread', [undefined, true, false], [1, 'yes']]
	];

	it.each(fields)('spawn and run check %s', (field, good, bad) => {
		for (const name of ['spawn', 'run'] as const) {
			const whole = { argv: ['sh'], cwd: '/', env: {} };
			for (const value of good) expect(outcome(name, [{ ...whole, [field]: value }])).toBe('taken');
			for (const value of bad)
				expect(outcome(name, [{ ...whole, [field]: value }]), JSON.stringify(value)).toMatch(/^EINVAL/);
		}
	});

	it.each<[field: string, bad: unknown[]]>([
		['input', ['text', [1]]],
		['timeoutMs', ['1', NaN, Infinity]],
		['maxBytes', [-1, 1.5, '1']]
	])('run checks %s', (field, bad) => {
		for (const value of bad)
			expect(outcome('run', [{ argv: ['sh'], cwd: '/', env: {}, [field]: value }])).toMatch(/^EINVAL/);
	});

	it.each<[field: string, bad: unknown[]]>([
		['method', NOT.text],
		['url', NOT.text],
		['headers', [undefined, {}, [['a']], [['a', 'b', 'c']], [['a', 1]], [['a', 'b\0']], ['ab']]],
		['body', [undefined, 'text', [1]]],
		['purpose', NOT.text]
	])('fetch checks %s', (field, bad) => {
		const request = { method: 'POST', url: 'https://a.example', headers: [['a', 'b']], body: bytes, purpose: '' };
		expect(outcome('fetch', [request])).toBe('taken');
		for (const value of bad) expect(outcome('fetch', [{ ...request, [field]: value }])).toMatch(/^EINVAL/);
	});
});
