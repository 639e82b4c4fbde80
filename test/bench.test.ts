import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '#test/bench/bundle.mjs';
import { startLoopBench, type LoopBench } from '#test/bench/loop/measure.ts';
import { tasks } from '#test/bench/loop/tasks.ts';
import { findProgram, peerName, plainEnvironment } from '#test/bench/native-program.ts';
import { percentile } from '#test/bench/row.ts';
import { rowsOf as trialRows } from '#test/bench/tab/trials.ts';

const root = path.resolve(import.meta.dirname, '..');
const RUNS = 3;
/** Round of the bare loop on the machine of the README's figures: a slower or busier machine takes longer for both. */
const REFERENCE_ROUND_MS = 1.6;
const rounds = tasks.turns.turns.length;

describe('what the loop costs', () => {
	// Below the project, so that the bundles find their packages.
	const built = path.join(root, `.cache/bench-test-${process.pid}`);
	let bench: LoopBench;
	beforeAll(async () => {
		await bundle(root, built, ['loop-child.ts', 'model-server.ts']);
		bench = await startLoopBench(built);
	}, 120_000);
	afterAll(() => {
		bench?.close();
		rmSync(built, { recursive: true, force: true });
	});

	it.each(['anthropic', 'openai', 'gemini'])(
		'is at most 5 ms a round, and an event arrives in under 1 ms, over %s [S-38]',
		{ timeout: 240_000 },
		async (wire) => {
			const subjects = ['bare', 'session'].map((name) => ({ script: `${built}/loop-child.js`, name, runs: RUNS }));
			const [bare, session] = await bench.measure(wire, 'turns', subjects);
			if (!bare || bare instanceof Error) throw bare ?? new Error('nothing was measured');
			if (!session || session instanceof Error) throw session ?? new Error('nothing was measured');
			// Minimum of the runs, and processor time if possible: elapsed time includes waiting for other work on the
			// machine.
			const slowdown = Math.max(1, bare.cpuMs / rounds / REFERENCE_ROUND_MS);
			expect((session.cpuMs - bare.cpuMs) / rounds / slowdown).toBeLessThanOrEqual(5);
			const events = rounds - 1;
			expect(session.delaysUs.length).toBe(RUNS * events);
			const runs = Array.from({ length: RUNS }, (_, run) => session.delaysUs.slice(run * events, (run + 1) * events));
			expect(Math.min(...runs.map((delays) => percentile(delays, 0.5)))).toBeLessThan(1_000);
		}
	);
});

it('shows the turns of each trial of the agent, and the largest overhead against its limit', () => {
	const figures = [
		{ name: 'a', turns: 12, overheadTokens: 4_400 },
		{ name: 'b', turns: 20, overheadTokens: 5_100 }
	];
	expect(trialRows(figures).map(({ name, ours, unit, ratio, bound }) => [name, ours, unit, ratio, bound])).toEqual([
		['system prompt and tools of a trial, Claude', 5_100, 'tokens', 1.02, 1],
		['trial a', 12, 'turns', null, undefined],
		['trial b', 20, 'turns', null, undefined]
	]);
});

describe('the peers of the benchmark', () => {
	const directory = mkdtempSync(path.join(tmpdir(), 'bench-peers-'));
	afterAll(() => rmSync(directory, { recursive: true, force: true }));

	const executable = (file: string, write: (file: string) => void): void => {
		mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
		write(path.join(directory, file));
		chmodSync(path.join(directory, file), 0o755);
	};

	it('are programs of the machine, not what a package or a version manager puts before them', () => {
		// Any program that prints a version; Node is always available.
		executable('project/node_modules/tool/tool', (file) => copyFileSync(process.execPath, file));
		mkdirSync(path.join(directory, 'project/node_modules/.bin'), { recursive: true });
		symlinkSync('../tool/tool', path.join(directory, 'project/node_modules/.bin/tool'));
		mkdirSync(path.join(directory, 'elsewhere'));
		symlinkSync('../project/node_modules/tool/tool', path.join(directory, 'elsewhere/tool'));
		executable('shims/tool', (file) => writeFileSync(file, '#!/bin/sh\nexec tool "$@"\n'));
		executable('bin/tool-1', (file) => copyFileSync(process.execPath, file));
		symlinkSync('tool-1', path.join(directory, 'bin/tool'));
		const search = ['project/node_modules/.bin', 'elsewhere', 'shims', 'nowhere', 'bin'].map((name) =>
			path.join(directory, name)
		);
		const found = findProgram('tool', search.join(path.delimiter));
		expect(found).toEqual({ path: path.join(directory, 'bin/tool-1'), version: process.versions.node });
		expect(found && peerName('tool', found)).toBe(`tool ${process.versions.node}, ${directory}/bin/tool-1`);
		expect(findProgram('tool', search.slice(0, -1).join(path.delimiter))).toBe(null);
	});

	it('see nothing of the environment of the one who starts the benchmark', () => {
		const names = Object.keys(plainEnvironment());
		expect(names.filter((name) => /^(BASH_ENV|ENV|NODE_OPTIONS|PYTHON.*|RIPGREP.*|npm_.*)$/.test(name))).toEqual([]);
		expect(plainEnvironment()['PATH']).not.toContain('node_modules');
	});
});
