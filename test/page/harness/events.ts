import type { EventBody, SessionEvent } from '#agent/events.ts';
import type { Usage } from '#llm/types.ts';

/** A recorded session on the sample project, for viewing the page without an agent. */
const usage = (inputTokens: number, outputTokens: number, costUsd: number): Usage => ({
	inputTokens,
	outputTokens,
	costUsd,
	reasoningTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0
});

const TEST_OUTPUT = `▶ German
  ✖ replaces umlauts (0.8ms)
    AssertionError: expected 'ueber-uns', actual 'uber-uns'
  ✖ replaces every umlaut in a word (0.2ms)
  ✖ replaces capital umlauts (0.2ms)
  ✔ replaces sharp s (0.1ms)
ℹ tests 24
ℹ pass 21
ℹ fail 3
`;

const DIFF = `--- a/src/replacements.ts
+++ b/src/replacements.ts
@@ -11,8 +11,8 @@
 /** Tried in this order: the first pair that matches a letter decides. */
 export const replacements: readonly Replacement[] = [
 	...symbols,
+	...german,
 	...latin,
-	...german,
 	...greek,
 	...cyrillic
 ];
`;

const BODIES: EventBody[] = [
	{ type: 'session_start', provider: 'anthropic', model: 'claude-opus-4-6' },
	{ type: 'state_change', from: 'idle', to: 'processing' },
	{
		type: 'user_input',
		content: [
			{ type: 'text', text: 'The tests for German umlauts fail. Find out why and fix it, smallest change you can.' }
		]
	},
	{ type: 'checkpoint', checkpointId: 'c1', tree: 't1', label: 'Before “The tests for German umlauts…”' },
	{ type: 'turn_start', turnIndex: 0 },
	{ type: 'message_start', role: 'assistant' },
	{ type: 'reasoning_start' },
	{ type: 'reasoning_delta', delta: 'I should **see the tests fail** first, then look at the order of the tables.' },
	{ type: 'reasoning_end', text: 'I should **see the tests fail** first, then look at the order of the tables.' },
	{ type: 'tool_call_start', callId: 'a', toolName: 'Bash', arguments: { command: 'npm test' } },
	{
		type: 'tool_call_end',
		callId: 'a',
		toolName: 'Bash',
		output: TEST_OUTPUT,
		details: { exitCode: 1 },
		isError: true,
		durationMs: 412
	},
	{ type: 'usage', turnIndex: 0, usage: usage(8120, 140, 0.021) },
	{ type: 'context_usage', usedTokens: 62_000, windowTokens: 200_000 },
	{ type: 'checkpoint', checkpointId: 'c1b', tree: 't1b', label: 'turn' },
	{
		type: 'tool_call_start',
		callId: 'b',
		toolName: 'Read',
		arguments: { file_path: '/workspace/src/replacements.ts' }
	},
	{
		type: 'tool_call_end',
		callId: 'b',
		toolName: 'Read',
		output: '1\timport …',
		isError: false,
		durationMs: 3
	},
	{ type: 'tool_call_start', callId: 'b2', toolName: 'Grep', arguments: { pattern: 'replacements', path: 'src' } },
	{
		type: 'tool_call_end',
		callId: 'b2',
		toolName: 'Grep',
		output: 'src/index.ts:1:import\nsrc/index.ts:18:\tconst\nsrc/replacements.ts:11:export',
		isError: false,
		durationMs: 9
	},
	{ type: 'assistant_text_start' },
	{
		type: 'assistant_text_end',
		text: 'The German pairs come **after** the generic Latin ones, so `ü` is already `u` when they run. Moving them first is enough:\n\n1. `german` goes before `latin` in `src/replacements.ts`\n2. nothing else changes'
	},
	{
		type: 'tool_call_start',
		callId: 'c',
		toolName: 'Edit',
		arguments: {
			file_path: '/workspace/src/replacements.ts',
			old_string: '\t...latin,\n\t...german,',
			new_string: '\t...german,\n\t...latin,'
		}
	},
	{
		type: 'tool_call_end',
		callId: 'c',
		toolName: 'Edit',
		output: 'Edited.',
		details: { diff: DIFF },
		isError: false,
		durationMs: 14
	},
	{ type: 'checkpoint', checkpointId: 'c2', tree: 't2', label: 'Before npm test' },
	{ type: 'tool_call_start', callId: 'd', toolName: 'Bash', arguments: { command: 'npm test' } },
	{
		type: 'tool_call_end',
		callId: 'd',
		toolName: 'Bash',
		output: 'ℹ tests 24\nℹ pass 24\nℹ fail 0\n',
		details: { exitCode: 0 },
		isError: false,
		durationMs: 388
	},
	{ type: 'usage', turnIndex: 1, usage: usage(8400, 210, 0.021) },
	{ type: 'checkpoint', checkpointId: 'c3', tree: 't3', label: 'Before git commit' },
	{
		type: 'tool_call_start',
		callId: 'e',
		toolName: 'Bash',
		arguments: { command: 'git commit -am "Put German pairs first"' }
	},
	{
		type: 'permission_request',
		requestId: 'p1',
		callId: 'e',
		agentId: 'main',
		toolName: 'Bash',
		action: 'execute',
		command: 'git commit -am "Put German pairs first"',
		description: 'Run git commit -am "Put German pairs first"',
		reason: 'The present mode asks before a command changes or reaches anything.',
		rules: [{ kind: 'git', pattern: 'history' }],
		next: 'apply',
		effects: {
			files: [],
			moreFiles: [
				{ directory: '.git/objects', count: 4 },
				{ directory: '.git/refs', count: 1 }
			],
			hosts: [],
			servers: [],
			signals: [],
			leftRunning: [],
			unnamed: false,
			result: { exitCode: 0, timedOut: false }
		}
	}
];

const numbered = (bodies: readonly EventBody[]): SessionEvent[] =>
	bodies.map((body, index) => ({
		sessionId: 'harness',
		seq: index + 1,
		timestamp: Date.UTC(2026, 0, 1, 12) + index * 700,
		...body
	}));

export const EVENTS = numbered(BODIES);

/** The same task, allowed and finished. */
export const DONE = numbered([
	...BODIES,
	{ type: 'permission_resolved', requestId: 'p1', decision: { kind: 'allow_once' } },
	{
		type: 'tool_call_end',
		callId: 'e',
		toolName: 'Bash',
		output: '[main 1f3a9c2] Put German pairs first\n',
		details: { exitCode: 0 },
		isError: false,
		durationMs: 90
	},
	{ type: 'file_change', path: 'src/replacements.ts', kind: 'modified', added: 1, removed: 1, by: 'tool' },
	{ type: 'file_change', path: 'test/slugify.test.ts', kind: 'modified', added: 4, removed: 0, by: 'tool' },
	{ type: 'assistant_text_start' },
	{
		type: 'assistant_text_end',
		text: 'The list tries its tables in order, and `latin` came before `german`. Both know ä, ö and ü, so the one-letter pairs always won.\n\nI moved `german` up by one line and added a test that pins the order. Nothing else changed.'
	},
	{
		type: 'agent_end',
		result: { text: '', stopReason: 'end_turn', turns: 3, usage: usage(16_520, 350, 0.042) }
	}
]);

/** Events of failures and of compaction. */
export const TROUBLE = numbered([
	...BODIES.slice(0, 12),
	{ type: 'context_compact', beforeTokens: 168_000, afterTokens: 9_400, success: true },
	{ type: 'retry', attempt: 2, delayMs: 4_000, code: 'overloaded', message: 'overloaded' },
	{ type: 'notice', message: 'agent_1 has completed. Wait for it to get its result.' },
	{ type: 'loop_detection', message: 'The same call was made five times in a row.', pattern: ['Bash', 'Bash'] },
	{ type: 'turn_limit', message: 'The spending cap of $0.05 is reached.', limit: 0.05 },
	{
		type: 'error',
		error: { code: 'rateLimit', message: 'Too many requests' },
		fatal: true
	}
]);
