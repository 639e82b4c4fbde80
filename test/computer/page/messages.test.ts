import { describe, expect, it } from 'vitest';
import { splitAnswer } from '#computer/kernel/port/answer-parts.ts';
import { parseToPage } from '#computer/host/parse.ts';
import { joinParts, parsePart, parseResult } from '#computer/host/results.ts';
import type { Operation } from '#computer/abi/protocol.ts';
import { PART_ITEMS } from '#environment/parts.ts';

const request = { method: 'GET', url: 'https://example.org/', headers: [], body: null, purpose: 'fetch' };
const change = { seq: 1, path: '/workspace/a', kind: 'write', mode: 0o100644, bytes: new Uint8Array(1) };

describe('a message to the page', () => {
	it.each([
		{ type: 'result', id: 1, value: null },
		{ type: 'part', id: 1, list: 'entries', items: [1] },
		{ type: 'output', pid: 2, stream: 'stdout', bytes: new Uint8Array(3) },
		{ type: 'changes', changes: [change] },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request } }
	])('of the kernel is taken: $type', (message) => {
		expect(parseToPage(message)).toEqual(message);
	});

	it.each([
		null,
		'ping',
		[],
		{},
		{ type: 'eval', code: '1' },
		{ type: '__proto__', id: 1 },
		{ type: 'result', id: -1, value: null },
		{ type: 'result', id: '1', value: null },
		{ type: 'output', pid: 2, stream: 'stdin', bytes: new Uint8Array(1) },
		{ type: 'output', pid: 2, stream: 'stdout', bytes: 'text' },
		{ type: 'ended', pid: 1.5, code: 0 },
		{ type: 'changes', changes: [{ ...change, path: 'relative' }] },
		{ type: 'changes', changes: [{ ...change, kind: 'chown' }] },
		{ type: 'changes', changes: { length: 1, 0: change } },
		{ type: 'ask', id: 1, question: { kind: 'storage', name: 'sessions' } },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request: { ...request, headers: [['a']] } } },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request: { ...request, url: 1 } } }
	])('that is none of the kernel is ignored: %j', (forged) => {
		expect(parseToPage(forged)).toBeNull();
	});

	const bytes = new Uint8Array(1);
	const port = { port: 80, pid: 1, command: 'node' };
	const whole: Record<string, unknown>[] = [
		{ type: 'result', id: 0, value: undefined },
		{ type: 'part', id: 1, list: 'entries', items: [] },
		{ type: 'failure', id: 1, code: 'EIO', message: 'No.' },
		{ type: 'failure', id: 1, code: 'EIO', message: 'No.', path: '/a' },
		{ type: 'output', pid: 0, stream: 'stderr', bytes },
		{ type: 'started', pid: 1 },
		{ type: 'ended', pid: 1, code: 0 },
		{ type: 'changes', changes: [] },
		...['write', 'remove', 'rename', 'mode', 'symlink', 'mkdir'].map((kind) => ({
			type: 'changes',
			changes: [{ ...change, kind, to: '/b' }]
		})),
		{ type: 'ports', ports: [port] },
		{ type: 'ask', id: 1, question: { kind: 'program', name: 'node' } },
		{ type: 'ask', id: 1, question: { kind: 'asset', name: 'a.wasm' } },
		{ type: 'ask', id: 1, question: { kind: 'preview', request: '{}' } },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request: { ...request, headers: [['a', 'b']], body: bytes } } }
	];

	it.each(whole)('is taken whole: %j', (message) => {
		expect(parseToPage(message)).toEqual(message);
	});

	it.each(whole)('is ignored when a part is missing or of another kind: %j', (message) => {
		const optional = ['value', 'path'];
		for (const field of Object.keys(message)) {
			if (field !== 'value') expect(parseToPage({ ...message, [field]: {} }), field).toBeNull();
			const { [field]: _, ...rest } = message;
			if (!optional.includes(field)) expect(parseToPage(rest), field).toBeNull();
		}
	});

	it.each<[what: string, forged: unknown]>([
		['a change without a place in the order', { type: 'changes', changes: [{ ...change, seq: 0 }] }],
		['a change of a broken order', { type: 'changes', changes: [{ ...change, seq: 1.5 }] }],
		['a mode below zero', { type: 'changes', changes: [{ ...change, mode: -1 }] }],
		['contents that are no bytes', { type: 'changes', changes: [{ ...change, bytes: 'text' }] }],
		['a new name that is relative', { type: 'changes', changes: [{ ...change, to: 'b' }] }],
		['a port that is none', { type: 'ports', ports: [{ ...port, port: -1 }] }],
		['a port without its command', { type: 'ports', ports: [{ port: 80, pid: 1 }] }],
		['a port of no process', { type: 'ports', ports: [{ ...port, pid: '1' }] }],
		['a program without a name', { type: 'ask', id: 1, question: { kind: 'program' } }],
		['a file without a name', { type: 'ask', id: 1, question: { kind: 'asset', name: 1 } }],
		[
			'a request of more than any upload',
			{ type: 'ask', id: 1, question: { kind: 'preview', request: 'x'.repeat(20_000_001) } }
		],
		...['method', 'url', 'purpose', 'headers', 'body'].map((field): [string, unknown] => [
			`a request of the network with a forged ${field}`,
			{ type: 'ask', id: 1, question: { kind: 'fetch', request: { ...request, [field]: 1 } } }
		])
	])('is ignored with %s', (_, forged) => {
		expect(parseToPage(forged)).toBeNull();
	});

	it('brings along nothing that was not asked for', () => {
		const forged = { type: 'ended', pid: 1, code: 0, then: 'x', constructor: 'y' };
		expect(Object.keys(parseToPage(forged) ?? {})).toEqual(['type', 'pid', 'code']);
	});
});

describe('a long answer', () => {
	const entry = (number: number): [string, number, string] => [`f${number}`, 0o100644, 'x'];
	const long = Array.from({ length: 2 * PART_ITEMS + 5 }, (_, index) => entry(index));

	it('arrives in short parts, and is whole again', () => {
		const whole = { id: 'a', since: '', entries: long, removed: ['gone'] };
		const { parts, rest } = splitAnswer(whole);
		expect(parts.map(({ list, items }) => [list, items.length])).toEqual([
			['entries', PART_ITEMS],
			['entries', PART_ITEMS]
		]);
		const parsed = parts.map(({ list, items }) => parsePart('snapshot', list, items));
		const end = parseResult('snapshot', rest);
		expect(joinParts('snapshot', [...parsed, end], end)).toEqual(whole);
		const names = long.map(([name]) => name);
		const split = splitAnswer(names);
		const found = split.parts.map(({ list, items }) => parsePart('glob', list, items));
		const last = parseResult('glob', split.rest);
		expect(joinParts('glob', [...found, last], last)).toEqual(names);
	});

	it('of one part, or of an operation without lists, is its end', () => {
		const names = ['a'];
		expect(joinParts('glob', [names], names)).toBe(names);
		expect(joinParts('readBlob', [new Uint8Array([1])], new Uint8Array([2]))).toEqual(new Uint8Array([2]));
		const [one, two] = [new Uint8Array([1]), new Uint8Array([2])];
		expect(joinParts('readBlob', [one, two], two)).toBe(two);
	});

	it('of lists that are none of the operation, or of other items, is refused', () => {
		expect(() => parsePart('glob', '', [1])).toThrow();
		expect(() => parsePart('glob', 'entries', [])).toThrow(/no list/);
		expect(() => parsePart('snapshot', '', [])).toThrow(/no list/);
		expect(() => parsePart('snapshot', '__proto__', [])).toThrow(/no list/);
		expect(() => parsePart('snapshot', 'removed', [entry(1)])).toThrow();
		expect(() => parsePart('ping', '', [])).toThrow(/no list/);
	});
});

describe('an answer of the kernel', () => {
	const stat = { kind: 'file', size: 1, mode: 0o644, modifiedMs: 1.5 };
	const effect = { path: '/workspace/a', kind: 'added' };
	const effects = {
		files: [effect],
		hosts: ['a.example'],
		servers: [80],
		signals: [{ pid: 1, signal: 'SIGTERM', command: 'node' }],
		leftRunning: ['node'],
		unnamed: false
	};
	const snapshot = { id: 'a', since: 'b', entries: [['f', 0o100644, 'x']], removed: ['gone'] };

	it.each<[operation: Operation, good: unknown, bad: unknown[]]>([
		['ping', null, [undefined, {}, 'pong']],
		['readBytes', new Uint8Array(1), ['text', null, [1]]],
		[
			'stat',
			stat,
			[null, { ...stat, kind: 'device' }, { ...stat, size: -1 }, { ...stat, mode: 0.5 }, { ...stat, modifiedMs: '1' }]
		],
		['list', [{ ...stat, path: 'a' }], [null, [stat], [{ ...stat, path: 1 }], {}]],
		['readLink', 'a', [null, 1]],
		['glob', ['a'], [null, [1], 'a']],
		['start', 7, [-1, 1.5, '7', null]],
		['startTrial', 7, [-1, 1.5, '7', null]],
		[
			'trialEffects',
			effects,
			[
				null,
				...Object.keys(effects).map((field) => ({ ...effects, [field]: undefined })),
				{ ...effects, files: [{ ...effect, path: 'a' }] },
				{ ...effects, files: [{ ...effect, kind: 'renamed' }] },
				{ ...effects, hosts: [1] },
				{ ...effects, servers: [-1] },
				{ ...effects, signals: [{ pid: 1, signal: 'SIGTERM' }] },
				{ ...effects, signals: [{ pid: -1, signal: 'SIGTERM', command: '' }] },
				{ ...effects, leftRunning: [1] },
				{ ...effects, unnamed: 0 }
			]
		],
		['readTrial', new Uint8Array(1), ['text', null]],
		[
			'applyTrial',
			{ merged: [effect], conflicts: [] },
			[null, { merged: [] }, { conflicts: [] }, { merged: [{}], conflicts: [] }]
		],
		[
			'snapshot',
			snapshot,
			[
				null,
				...Object.keys(snapshot).map((field) => ({ ...snapshot, [field]: undefined })),
				{ ...snapshot, entries: [['f', -1, 'x']] },
				{ ...snapshot, entries: [['f', 1]] },
				{ ...snapshot, removed: [1] }
			]
		],
		['readBlob', new Uint8Array(1), ['text', null]],
		['connectLoopback', new MessageChannel().port1, [null, {}]],
		['overlay', new MessageChannel().port1, [null, {}]]
	])('to %s is parsed', (operation, good, bad) => {
		expect(parseResult(operation, good)).toEqual(good);
		for (const forged of bad) expect(() => parseResult(operation, forged), JSON.stringify(forged)).toThrow();
	});

	it('of the kinds of changed files has these three', () => {
		for (const kind of ['added', 'modified', 'removed'])
			expect(parseResult('applyTrial', { merged: [{ path: '/a', kind }], conflicts: [] })).toBeTruthy();
		for (const kind of ['file', 'directory', 'symlink']) expect(parseResult('stat', { ...stat, kind })).toBeTruthy();
	});

	it('to what only happens says nothing', () => {
		const silent: Operation[] = [
			'writeFile',
			'remove',
			'rename',
			'makeDirectory',
			'symlink',
			'setMode',
			'load',
			'endTrial'
		];
		silent.push(
			'write',
			'closeInput',
			'kill',
			'resize',
			'restore',
			'putBlobs',
			'forgetBlobs',
			'settled',
			'endProcesses',
			'close'
		);
		for (const operation of silent) {
			expect(parseResult(operation, null)).toBeNull();
			expect(() => parseResult(operation, 'done'), operation).toThrow();
		}
	});

	it('about a trial is put together of its parts, with what its end says', () => {
		const parts = [
			parsePart('trialEffects', 'files', [effect]),
			parsePart('trialEffects', 'leftRunning', ['node']),
			parseResult('trialEffects', { ...effects, files: [{ path: '/b', kind: 'removed' }], leftRunning: ['sh'] })
		];
		expect(joinParts('trialEffects', parts, parts[2]!)).toEqual({
			...effects,
			files: [effect, { path: '/b', kind: 'removed' }],
			leftRunning: ['node', 'sh']
		});
		const merged = parsePart('applyTrial', 'merged', [effect]);
		const conflicts = parsePart('applyTrial', 'conflicts', [effect]);
		expect(merged).toEqual({ merged: [effect], conflicts: [] });
		expect(joinParts('applyTrial', [merged, conflicts], conflicts)).toEqual({ merged: [effect], conflicts: [effect] });
		const list = parsePart('list', '', [{ ...stat, path: 'a' }]);
		expect(joinParts('list', [list, list], list)).toHaveLength(2);
		expect(joinParts('list', [list], list)).toEqual(list);
		const removed = parsePart('snapshot', 'removed', ['gone']);
		expect(removed).toEqual({ id: '', since: '', entries: [], removed: ['gone'] });
	});
});
