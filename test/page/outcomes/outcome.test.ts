import { describe, expect, it } from 'vitest';
import type { EventBody } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import { isTestFile } from '#page/outcomes/test-file.ts';
import { outcomeSince } from '#page/outcomes/outcome.ts';
import { runsTests } from '#page/timeline/runs-tests.ts';

const entries = (name: string, ...bodies: EventBody[]): SessionEntry[] =>
	bodies.map((body, index) => ({
		id: `${name}${index}`,
		parentId: null,
		timestamp: 0,
		type: 'event',
		event: { ...body, sessionId: 's', seq: index + (name === 'both' ? 1 : 100), timestamp: index * 1000 }
	}));

const usage = (costUsd: number | null): EventBody => ({
	type: 'usage',
	turnIndex: 0,
	usage: { inputTokens: 100, outputTokens: 10, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd }
});
const start = (model: string): EventBody => ({
	type: 'agent_start',
	model,
	provider: 'p',
	tools: [],
	maxTurns: 1,
	maxToolRounds: 1,
	reasoningEffort: null
});
const end: EventBody = {
	type: 'agent_end',
	result: { text: '', stopReason: 'end_turn', turns: 1, usage: (usage(0) as EventBody & { type: 'usage' }).usage }
};
const ran = (command: string, exitCode: number): EventBody[] => [
	{ type: 'tool_call_start', callId: command, toolName: 'Bash', arguments: { command } },
	{
		type: 'tool_call_end',
		callId: command,
		toolName: 'Bash',
		output: command === 'npm test' ? 'ℹ pass 3\nℹ fail 0\n' : '',
		details: { exitCode },
		isError: false,
		durationMs: 1
	}
];

describe('an outcome', () => {
	it('counts what came since the sessions parted, and nothing before', () => {
		const both = entries('both', start('old'), usage(5), ...ran('npm test', 1), end);
		const mine = [...both, ...entries('mine', start('new'), usage(0.25), ...ran('npm test', 0), ...ran('ls', 2), end)];
		expect(outcomeSince(mine, both)).toEqual({
			model: 'new',
			costUsd: 0.25,
			tokens: 110,
			workedMs: 6000,
			turns: 0,
			tests: { command: 'npm test', exitCode: 0, result: { passed: 3, failed: 0 } }
		});
		expect(outcomeSince(both, mine)).toEqual({
			model: null,
			costUsd: null,
			tokens: 0,
			workedMs: 0,
			turns: 0,
			tests: null
		});
	});

	it('knows a test by its path', () => {
		const tests = [
			'test/a.js',
			'src/__tests__/a.tsx',
			'a.test.ts',
			'spec/a_spec.rb',
			'pkg/test_a.py',
			'a_test.go',
			'x/a.spec.js'
		];
		for (const path of tests) expect(isTestFile(path), path).toBe(true);
		for (const path of ['src/latest/a.ts', 'contest.ts', 'src/testing.ts', 'spectrum.js', 'attest/a.ts'])
			expect(isTestFile(path), path).toBe(false);
	});

	it('knows a run of tests by its command', () => {
		for (const command of [
			'npm test',
			'cd a && npm run test -- --watch=false',
			'npx vitest run',
			'node --test',
			'python -m pytest -q',
			'cargo test'
		])
			expect(runsTests(command), command).toBe(true);
		for (const command of ['cat test.txt', 'npm install', 'ls tests', 'npm run test-data', 'git commit -m "npm"'])
			expect(runsTests(command), command).toBe(false);
	});
});
