import { describe, expect, it } from 'vitest';
import { MACHINE_KINDS, type EventBody } from '#agent/events.ts';
import { sessionEvent } from '#session/schema/events.ts';

const usage = {
	inputTokens: 1,
	outputTokens: 2,
	reasoningTokens: 3,
	cacheReadTokens: 4,
	cacheWriteTokens: 5,
	costUsd: 0.1
};
const text = { type: 'text', text: 'x' };
const call = { type: 'tool_call', id: 'c', name: 'Bash', arguments: { command: 'ls' } };
const message = { role: 'assistant', content: [text, call] };
const error = { code: 'x', message: 'y', retryable: true, status: 500, provider: 'p', retryAfterMs: 0 };
const todo = (status: string) => ({ content: 'x', status });
const request = {
	requestId: 'r',
	callId: 'c',
	agentId: 'a',
	toolName: 'Bash',
	action: 'write',
	path: 'a',
	command: 'ls',
	description: 'd',
	reason: 'r',
	diff: '+',
	effects: {
		files: [
			{ path: 'a', kind: 'added', diff: '+', added: 1, removed: 0 },
			{ path: 'b', kind: 'modified' },
			{ path: 'c', kind: 'removed' }
		],
		moreFiles: [{ directory: 'd', count: 2 }],
		hosts: ['h'],
		servers: [80],
		signals: ['SIGTERM'],
		leftRunning: ['sleep'],
		unnamed: false,
		result: { exitCode: 0, timedOut: false }
	},
	next: 'apply',
	rules: []
};
const agentEnd = (stopReason: string) => ({
	result: { text: 'x', stopReason, turns: 1, usage, error },
	durationMs: 1
});
const STOPS =
	'end_turn max_tokens max_iterations turn_limit failure_threshold permission_denied aborted interrupted rewound content_filter error';
const EFFORTS = [null, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const STATES = ['idle', 'processing', 'awaiting_input', 'closed'];
const change = { path: 'a', added: 1, removed: 0 };
const fork = { isOpen: true, paths: ['a'], count: 1, conflicts: ['b'] };
const run = { command: 'c', exitCode: null, output: 'o', durationMs: 1, callId: 'c' };
const machine = { name: 'n', tree: 't', files: 1, durationMs: 1 };

/** Stored events: all variants of each field, and every optional field at least once. */
const EVENTS: Record<EventBody['type'], object[]> = {
	session_start: [{ provider: 'p', model: 'm' }],
	session_end: STATES.map((state) => ({ state })),
	agent_start: EFFORTS.map((reasoningEffort) => ({
		model: 'm',
		provider: 'p',
		tools: ['Bash'],
		maxTurns: 1,
		maxToolRounds: 2,
		reasoningEffort
	})),
	agent_end: STOPS.split(' ').map(agentEnd),
	state_change: STATES.map((from) => ({ from, to: 'idle' })),
	user_input: [{ content: [text] }],
	turn_start: [{ turnIndex: 0 }],
	turn_end: [{ turnIndex: 0, toolCalls: [call], durationMs: 1 }],
	message_start: [{ role: 'assistant' }],
	message_end: [{ text: 'x', reasoning: 'r', stopReason: 's', message }],
	assistant_text_start: [{}],
	assistant_text_delta: [{ delta: 'x' }],
	assistant_text_end: [{ text: 'x' }],
	reasoning_start: [{}],
	reasoning_delta: [{ delta: 'x' }],
	reasoning_end: [{ text: 'x' }],
	tool_call_delta: [{ callId: 'c', toolName: 'Bash', partialArguments: { command: 'l' } }],
	tool_call_start: [{ callId: 'c', toolName: 'Bash', arguments: { command: 'ls' } }],
	tool_call_output_delta: [{ callId: 'c', delta: 'x' }],
	tool_call_end: [{ callId: 'c', toolName: 'Bash', output: 'o', details: { any: [1] }, isError: false, durationMs: 1 }],
	steering_injected: [{ content: [text] }],
	usage: [{ turnIndex: 0, usage, purpose: 'side_request' }],
	retry: [{ attempt: 1, delayMs: 1, code: 'x', message: 'y' }],
	permission_request: [
		...['write', 'execute', 'network', 'other'].map((action) => ({ ...request, action })),
		...['apply', 'retry', 'run'].map((next) => ({ ...request, next }))
	],
	permission_resolved: [
		...['allow_once', 'allow_session', 'allow_always', 'deny'].map((kind) => ({ requestId: 'r', decision: { kind } })),
		{ requestId: 'r', decision: { kind: 'deny_explain', explanation: 'no' } }
	],
	question: [{ callId: 'c', question: '?', options: ['a'], multiple: true }],
	file_change: ['added', 'modified', 'removed', 'renamed'].flatMap((kind) =>
		['tool', 'shell', 'user'].map((by) => ({ ...change, kind, by }))
	),
	file_fork: ['begin', 'restore', 'approve', 'drop', 'discard', 'lost'].map((action) => ({ action, ...fork })),
	diagnostics: ['error', 'warning'].map((severity) => ({
		path: 'a',
		items: [{ line: 1, column: 2, severity, code: 'x', message: 'm' }]
	})),
	checkpoint: [{ checkpointId: 'c', tree: 't', label: 'l' }],
	todo_reminder: ['pending', 'in_progress', 'completed'].map((status) => ({
		turnsSinceUpdate: 1,
		items: [todo(status)]
	})),
	context_compact: [{ beforeTokens: 2, afterTokens: 1, success: true }],
	context_usage: [{ usedTokens: 1, windowTokens: 2 }],
	turn_limit: [{ message: 'm', limit: 1 }],
	notice: [{ message: 'm' }],
	loop_detection: [{ message: 'm', pattern: ['a'] }],
	warning: [{ message: 'm', code: 'c' }],
	error: [{ error, fatal: false }],
	hook_error: [{ hook: 'h', point: 'p', message: 'm', stack: 's' }],
	hook_run: ['before_tool', 'after_tool', 'message', 'end'].map((event) => ({ event, ...run })),
	model_change: [{ provider: 'p', model: 'm' }],
	machine_change: ['move', 'return', 'lost'].flatMap((action) =>
		MACHINE_KINDS.map((kind) => ({ action, kind, ...machine }))
	),
	session_fork: [{}],
	subagent_event: [
		{ agentId: 'a', event: { sessionId: 's', seq: 1, timestamp: 0, type: 'notice', message: 'in a helper' } }
	]
};
const OPTIONAL: Partial<Record<string, string[]>> = {
	agent_end: ['durationMs'],
	tool_call_end: ['details'],
	usage: ['purpose'],
	permission_request: ['path', 'command', 'diff', 'effects', 'next', 'rules'],
	question: ['options', 'multiple'],
	warning: ['code'],
	hook_error: ['stack'],
	hook_run: ['callId']
};
const header = { sessionId: 's', seq: 1, timestamp: 5 };
const types = Object.entries(EVENTS).map(
	([type, bodies]) => [type, bodies.map((body) => ({ ...header, type, ...body }))] as const
);

describe('a stored event of type', () => {
	it.each(types)('%s is read as it was stored, without what is unknown', (_, events) => {
		for (const event of events) expect(sessionEvent.parse({ ...event, unknown: 1 })).toEqual(event);
	});

	it.each(types)('%s is not read without a field that it has, or with another kind of value', (type, [event = {}]) => {
		for (const field of Object.keys(event)) {
			const { [field]: _, ...without } = event as Record<string, unknown>;
			const isOptional = OPTIONAL[type]?.includes(field) ?? false;
			expect([field, sessionEvent.safeParse(without).success]).toEqual([field, isOptional]);
			if (field === 'details') continue;
			expect([field, sessionEvent.safeParse({ ...without, [field]: Symbol('no JSON') }).success]).toEqual([
				field,
				false
			]);
		}
	});
});

describe('an event', () => {
	it('is not read with a number or a word that no session writes', () => {
		const refused = (type: EventBody['type'], body: object): void =>
			expect([type, body, sessionEvent.safeParse({ ...header, type, ...body }).success]).toEqual([type, body, false]);
		for (const seq of [0, -1, 1.5]) refused('session_fork', { seq });
		refused('session_end', { state: 'other' });
		refused('agent_start', { ...EVENTS.agent_start[0], reasoningEffort: 'most' });
		refused('agent_end', agentEnd('other'));
		refused('error', { error: { ...error, retryAfterMs: -1 }, fatal: true });
		refused('permission_resolved', { requestId: 'r', decision: { kind: 'allow' } });
		refused('permission_resolved', { requestId: 'r', decision: { kind: 'deny_explain' } });
		refused('permission_request', { ...request, action: 'read' });
		refused('permission_request', { ...request, next: 'ask' });
		refused('permission_request', {
			...request,
			effects: { ...request.effects, result: { exitCode: 0.5, timedOut: false } }
		});
		refused('file_change', { ...change, kind: 'copied', by: 'tool' });
		refused('file_change', { ...change, kind: 'added', by: 'agent' });
		refused('message_start', { role: 'user' });
		refused('usage', { turnIndex: 0, usage, purpose: 'other' });
		refused('subagent_event', { agentId: 'a', event: { type: 'notice', message: 'no header' } });
	});

	it('of an earlier version has no rules that it would be allowed by', () => {
		const { rules: _, ...earlier } = request;
		expect(sessionEvent.parse({ ...header, type: 'permission_request', ...earlier })).toMatchObject({ rules: [] });
	});

	it('is none where nothing says what it is', () => {
		const messageFor = (value: unknown) => sessionEvent.safeParse(value).error?.issues[0]?.message;
		expect(messageFor({ ...header, type: 'of tomorrow' })).toBe('not an event: of tomorrow');
		for (const value of [null, 'notice', 1, {}, []]) expect(messageFor(value)).toBe('not an event: no type');
		expect(messageFor({ type: 'notice' })).toBe('not an event: notice');
	});
});
