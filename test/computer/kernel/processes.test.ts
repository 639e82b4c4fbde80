import { describe, expect, it } from 'vitest';
import { createVolume } from '#computer/volume/first-files.ts';
import { findCommand, programsOfTheirOwn } from '#computer/volume/find-command.ts';
import { ProcessTable } from '#computer/kernel/processes/table.ts';
import type { Process } from '#computer/kernel/processes/process.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import { PROCESSES } from '#computer/abi/limits.ts';
import type { SignalName } from '#computer/abi/syscalls.ts';

const add = (table: ProcessTable, parent?: Process, group?: number): Process => {
	const nothing = new NullDescription();
	return table.add({ argv: ['x'], cwd: '/', env: {}, streams: [nothing, nothing, nothing], parent, group });
};

describe('the process table', () => {
	it('refuses the 257th process and takes one again when one has ended', () => {
		const table = new ProcessTable();
		const first = add(table);
		for (let i = 1; i < PROCESSES; i++) add(table);
		expect(() => add(table)).toThrow(/256 processes/);
		table.end(first, { code: 0, signal: null });
		expect(add(table).pid).toBeGreaterThan(first.pid);
	});

	it('ends a fork bomb that is left behind, and nothing else', () => {
		const table = new ProcessTable();
		const [shell, command, server] = [add(table), add(table), add(table)];
		const inTerminal = add(table, shell);
		const background = add(table, server, 0);
		table.end(server, { code: 0, signal: null });
		while (table.list().length < PROCESSES) add(table, command, 0);
		expect(table.endLeftBehind()).toBe(0);
		table.end(command, { code: 0, signal: null });
		expect(table.endLeftBehind()).toBe(PROCESSES - 4);
		expect(table.list().map(({ pid }) => pid)).toEqual([shell.pid, inTerminal.pid, background.pid]);
	});

	it('tells a parent about its children, before or after they end, once', async () => {
		const table = new ProcessTable();
		const parent = add(table);
		const [one, two] = [add(table, parent), add(table, parent)];
		table.end(one, { code: 3, signal: null });
		expect(await table.wait(parent, one.pid)).toEqual({ pid: one.pid, code: 3, signal: null });
		expect(() => table.wait(parent, one.pid)).toThrow(/no child/);
		const waiting = table.wait(parent, -1);
		table.kill(two.pid, 'SIGTERM');
		expect(await waiting).toEqual({ pid: two.pid, code: 143, signal: 'SIGTERM' });
		expect(() => table.wait(parent, -1)).toThrow(/no child/);
	});

	it('signals a group, a session, a tree', () => {
		const table = new ProcessTable();
		const shell = add(table);
		const [front, back] = [add(table, shell, 0), add(table, shell, 0)];
		const below = add(table, front);
		table.kill(-front.group, 'SIGINT');
		expect([shell, front, below, back].map(({ ended }) => ended)).toEqual([false, true, true, false]);
		table.killSession(shell.session, 'SIGKILL');
		expect([shell, back].map(({ status }) => status?.code)).toEqual([137, 137]);
		expect(() => table.kill(-front.group, 'SIGINT')).toThrow(/no such process/);
		const top = add(table);
		const leaf = add(table, add(table, top, 0), 0);
		table.killTree(top, 'SIGKILL');
		expect(leaf.ended).toBe(true);
	});

	it('knows for a while that it was full, and can be cleared of all that a terminal has started', () => {
		const table = new ProcessTable();
		const shell = add(table);
		expect(table.crowded).toBe(false);
		const rest = Array.from({ length: PROCESSES - 1 }, () => add(table, shell, 0));
		const other = rest.pop()!;
		table.end(other, { code: 0, signal: null });
		const stranger = add(table);
		expect(() => add(table, shell)).toThrow(/256 processes/);
		table.clearSession(shell.session);
		expect(table.crowded).toBe(true);
		expect(rest.every(({ ended }) => ended)).toBe(true);
		expect([shell.ended, stranger.ended]).toEqual([false, false]);
	});

	it('hands a caught signal to the process; SIGKILL cannot be caught', () => {
		const table = new ProcessTable();
		const process = add(table);
		const seen: SignalName[] = [];
		process.worker = { signal: (name) => seen.push(name), terminate: () => {} };
		process.caught.add('SIGINT').add('SIGKILL');
		table.kill(process.pid, 'SIGINT');
		table.kill(process.pid, 'SIGWINCH');
		expect([seen, process.ended]).toEqual([['SIGINT'], false]);
		table.kill(process.pid, 'SIGKILL');
		expect(process.ended).toBe(true);
	});
});

describe('finding a command', () => {
	const programs = new Map([
		['node', 'node'],
		['sh', 'shell'],
		['cat', 'shell']
	]);
	const volume = createVolume([...programs.keys()]);
	const script = (path: string, text: string, mode = 0o755): void => {
		volume.makeParents(path);
		volume.writeFile(path, new TextEncoder().encode(text), { mode });
	};
	const find = (argv: string[], searchPath?: string) => findCommand(volume, programs, argv, '/workspace', searchPath);

	it('takes programs by name and by path', () => {
		expect(find(['node', 'a.js'])).toEqual({ program: 'node', argv: ['node', 'a.js'] });
		expect(find(['/usr/bin/node'])).toMatchObject({ program: 'node' });
		expect(find(['/bin/sh'])).toMatchObject({ program: 'shell' });
		expect(() => find(['nothing'])).toThrow(/command not found/);
		expect(() => find(['./nothing'])).toThrow(expect.objectContaining({ code: 'ENOENT' }));
	});

	it('takes commands of the shell by name and by path, and does not list them as programs', () => {
		expect(find(['cat', 'a'])).toEqual({ program: 'shell', argv: ['cat', 'a'] });
		expect(find(['/bin/cat'])).toEqual({ program: 'shell', argv: ['/bin/cat'] });
		script('/workspace/second', '#!/usr/bin/cat -n\n');
		expect(find(['./second'])).toEqual({ program: 'shell', argv: ['cat', '-n', '/workspace/second'] });
		expect(volume.stat('/usr/bin/cat')).toMatchObject({ kind: 'file' });
		expect(programsOfTheirOwn(programs)).not.toContain('cat');
	});

	it('runs scripts by their first line, found on PATH or by path', () => {
		script('/workspace/node_modules/.bin/tool', '#!/usr/bin/env node\n');
		const path = '/workspace/node_modules/.bin:/usr/bin';
		const file = '/workspace/node_modules/.bin/tool';
		expect(find(['tool', '--x'], path)).toEqual({ program: 'node', argv: ['node', file, '--x'] });
		script('/workspace/run', '#!/bin/sh -e\n');
		expect(find(['./run', 'a'])).toEqual({ program: 'shell', argv: ['sh', '-e', '/workspace/run', 'a'] });
		script('/workspace/bare', 'echo hi\n');
		expect(find(['./bare']).argv).toEqual(['sh', '/workspace/bare']);
		script('/workspace/data', 'x', 0o644);
		expect(() => find(['./data'])).toThrow(expect.objectContaining({ code: 'EACCES' }));
		script('/workspace/loop', '#!/workspace/loop\n');
		expect(() => find(['./loop'])).toThrow();
	});
});
