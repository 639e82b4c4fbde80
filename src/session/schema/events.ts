import { z } from 'zod';
import { MACHINE_KINDS, type EventBody, type SessionEvent } from '#agent/events.ts';
import { PermissionRule } from '#agent/guards/permission-rules.ts';
import { contentPart, message, toolCall, usage } from './messages.ts';

const text = z.string();
const count = z.number();
const state = z.enum(['idle', 'processing', 'awaiting_input', 'closed']);
const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullable();
const errorData = z.object({
	code: text,
	message: text,
	retryable: z.boolean().optional(),
	status: count.optional(),
	provider: text.optional(),
	retryAfterMs: z.number().nonnegative().optional()
});
/** One item of the agent's task list. */
export const todoItem = z.object({ content: text, status: z.enum(['pending', 'in_progress', 'completed']) });
const args = z.record(text, z.unknown());

const agentResult = z.object({
	text,
	stopReason: z.enum([
		'end_turn',
		'max_tokens',
		'max_iterations',
		'turn_limit',
		'failure_threshold',
		'permission_denied',
		'aborted',
		'interrupted',
		'rewound',
		'content_filter',
		'error'
	]),
	turns: count,
	usage,
	error: errorData.optional()
});

const decision = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('allow_once') }),
	z.object({ kind: z.literal('allow_session') }),
	z.object({ kind: z.literal('allow_always') }),
	z.object({ kind: z.literal('deny') }),
	z.object({ kind: z.literal('deny_explain'), explanation: text })
]);

const diagnostic = z.object({
	line: count,
	column: count,
	severity: z.enum(['error', 'warning']),
	code: text.optional(),
	message: text
});

/** Fields of each event besides the header; the type of this object guarantees completeness. */
const fields = {
	session_start: { provider: text, model: text },
	session_end: { state },
	agent_start: {
		model: text,
		provider: text,
		tools: z.array(text),
		maxTurns: count,
		maxToolRounds: count,
		reasoningEffort: effort
	},
	agent_end: { result: agentResult, durationMs: count.optional() },
	state_change: { from: state, to: state },
	user_input: { content: z.array(contentPart) },
	turn_start: { turnIndex: count },
	turn_end: { turnIndex: count, toolCalls: z.array(toolCall), durationMs: count },
	message_start: { role: z.literal('assistant') },
	message_end: { text, reasoning: text, stopReason: text, message },
	assistant_text_start: {},
	assistant_text_delta: { delta: text },
	assistant_text_end: { text },
	reasoning_start: {},
	reasoning_delta: { delta: text },
	reasoning_end: { text },
	tool_call_delta: { callId: text, toolName: text, partialArguments: args },
	tool_call_start: { callId: text, toolName: text, arguments: args },
	tool_call_output_delta: { callId: text, delta: text },
	tool_call_end: {
		callId: text,
		toolName: text,
		output: text,
		details: z.unknown().optional(),
		isError: z.boolean(),
		durationMs: count
	},
	steering_injected: { content: z.array(contentPart) },
	usage: { turnIndex: count, usage, purpose: z.literal('side_request').optional() },
	retry: { attempt: count, delayMs: count, code: text, message: text },
	permission_request: {
		requestId: text,
		callId: text,
		agentId: text,
		toolName: text,
		action: z.enum(['write', 'execute', 'network', 'other']),
		path: text.optional(),
		command: text.optional(),
		description: text,
		reason: text,
		diff: text.optional(),
		effects: z
			.object({
				files: z.array(
					z.object({
						path: text,
						kind: z.enum(['added', 'modified', 'removed']),
						diff: text.optional(),
						added: count.optional(),
						removed: count.optional()
					})
				),
				moreFiles: z.array(z.object({ directory: text, count })),
				hosts: z.array(text),
				servers: z.array(count),
				signals: z.array(text),
				leftRunning: z.array(text),
				unnamed: z.boolean(),
				result: z.object({ exitCode: z.int(), timedOut: z.boolean() })
			})
			.optional(),
		next: z.enum(['apply', 'retry', 'run']).optional(),
		// Missing in logs of earlier versions.
		rules: z.array(PermissionRule).default([])
	},
	permission_resolved: { requestId: text, decision },
	question: { callId: text, question: text, options: z.array(text).optional(), multiple: z.boolean().optional() },
	file_change: {
		path: text,
		kind: z.enum(['added', 'modified', 'removed', 'renamed']),
		added: count,
		removed: count,
		by: z.enum(['tool', 'shell', 'user'])
	},
	file_fork: {
		action: z.enum(['begin', 'restore', 'approve', 'drop', 'discard', 'lost']),
		isOpen: z.boolean(),
		paths: z.array(text),
		count,
		conflicts: z.array(text)
	},
	diagnostics: { path: text, items: z.array(diagnostic) },
	checkpoint: { checkpointId: text, tree: text, label: text },
	todo_reminder: { turnsSinceUpdate: count, items: z.array(todoItem) },
	context_compact: { beforeTokens: count, afterTokens: count, success: z.boolean() },
	context_usage: { usedTokens: count, windowTokens: count },
	turn_limit: { message: text, limit: count },
	notice: { message: text },
	loop_detection: { message: text, pattern: z.array(text) },
	warning: { message: text, code: text.optional() },
	error: { error: errorData, fatal: z.boolean() },
	hook_error: { hook: text, point: text, message: text, stack: text.optional() },
	hook_run: {
		event: z.enum(['before_tool', 'after_tool', 'message', 'end']),
		command: text,
		exitCode: count.nullable(),
		output: text,
		durationMs: count,
		callId: text.optional()
	},
	model_change: { provider: text, model: text },
	machine_change: {
		action: z.enum(['move', 'return', 'lost']),
		kind: z.enum(MACHINE_KINDS),
		name: text,
		tree: text,
		files: count,
		durationMs: count
	},
	session_fork: {},
	subagent_event: {
		agentId: text,
		event: z.lazy((): z.ZodType<SessionEvent> => sessionEvent)
	}
} satisfies Record<EventBody['type'], z.ZodRawShape>;

const header = { sessionId: text, seq: z.number().int().positive(), timestamp: count };

const byType = new Map(
	Object.entries(fields).map(([type, shape]) => [type, z.object({ ...header, type: z.literal(type), ...shape })])
);

/**
 * One event from disk or from a share. Unknown types and invalid fields are refused; unknown fields are
 * dropped.
 */
export const sessionEvent: z.ZodType<SessionEvent> = z.unknown().transform((value, context) => {
	const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
	const parsed = byType.get(type)?.safeParse(value);
	if (parsed?.success) return parsed.data as unknown as SessionEvent;
	context.addIssue({ code: 'custom', message: `not an event: ${type || 'no type'}` });
	return z.NEVER;
});
