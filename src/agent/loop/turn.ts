import type { Message, Request } from '#llm/types.ts';
import type { ErrorData, StopReason } from '../events.ts';
import { errorData } from '../error-data.ts';
import { withoutImages } from '../image-policy.ts';
import { isThinking, toRequestMessages, withoutThinking } from '../request-history.ts';
import type { MessageOrigin } from '../session-log.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { delay } from './abortable.ts';
import type { TurnSettings } from './config.ts';
import { makeRoom } from './context.ts';
import { checkResponse, type CheckedCall } from './entry-validation.ts';
import { streamResponse, type ResponseOutcome } from './response.ts';
import type { RunState } from './run-state.ts';

/** Next step that a turn's response requires. */
export type TurnResponse =
	| { kind: 'calls'; calls: CheckedCall[]; registry: ToolRegistry; parallel: boolean }
	| { kind: 'stop'; stopReason: StopReason; error?: ErrorData };

const DEFAULT_STREAM_RETRIES = 2;
const DEFAULT_RETRY_DELAY_MS = 1_000;
/** Failures of a connection in the middle of a response; before the first byte, the client has already retried. */
const BROKEN_OFF = new Set(['stream', 'timeout', 'network']);

/**
 * Requests one response and adds it to the history. Retries a response that breaks off; retries after compaction if the
 * request was too long; retries without thinking if the provider rejected the thinking sent back to it. Each attempt
 * has its own `message_start` and `message_end`.
 */
export async function respond(run: RunState, turnIndex: number): Promise<TurnResponse> {
	const settings = await run.settings();
	const registry = run.registry(settings.tools);
	const attempts = { stream: 0, overflow: 0, plain: false };
	for (;;) {
		const request = await buildRequest(run, settings, registry, attempts.plain);
		if (run.signal.aborted) return { kind: 'stop', stopReason: 'aborted' };
		// Another agent of the session, a summary or the previous attempt may have used up the budget.
		const spent = run.host.overBudget?.();
		if (spent) {
			run.emit({ type: 'turn_limit', ...spent });
			return { kind: 'stop', stopReason: 'turn_limit' };
		}
		run.emit({ type: 'message_start', role: 'assistant' });
		const outcome = await streamResponse((r) => settings.client.stream(r), request, run.signal, run.emit);
		if (outcome.kind === 'finished') return finished(run, turnIndex, outcome, settings, registry);
		if (outcome.kind === 'aborted') {
			endMessage(run, outcome.partial, 'aborted', true);
			return { kind: 'stop', stopReason: 'aborted' };
		}
		const again = await retryable(run, outcome, settings, request, attempts);
		endMessage(run, outcome.partial, 'error', !again);
		if (!again) return failed(run, outcome.error);
		await again();
		if (run.signal.aborted) return { kind: 'stop', stopReason: 'aborted' };
	}
}

async function buildRequest(
	run: RunState,
	settings: TurnSettings,
	registry: ToolRegistry,
	plain: boolean
): Promise<Request> {
	const repaired = toRequestMessages(plain ? withoutThinking(run.messages) : run.messages);
	const history = settings.withoutImages ? withoutImages(repaired, settings.withoutImages) : repaired;
	const messages = await run.hooks.context(history);
	const tools = registry.definitions();
	return {
		model: settings.model,
		provider: settings.provider,
		system: settings.systemPrompt,
		messages,
		...(tools.length > 0 ? { tools, toolChoice: 'auto' as const } : {}),
		parallelToolCalls: settings.parallelToolCalls ?? true,
		reasoningEffort: settings.reasoningEffort ?? null,
		...(settings.maxOutputTokens ? { maxTokens: settings.maxOutputTokens } : {}),
		...(settings.providerOptions ? { providerOptions: settings.providerOptions } : {}),
		...(run.config.cacheKey ? { cacheKey: run.config.cacheKey } : {}),
		signal: run.signal
	};
}

function finished(
	run: RunState,
	turnIndex: number,
	outcome: Extract<ResponseOutcome, { kind: 'finished' }>,
	settings: TurnSettings,
	registry: ToolRegistry
): TurnResponse {
	const { message, calls } = checkResponse(outcome.message, run.callIds);
	const origin = { usage: outcome.usage, ...(outcome.id ? { responseId: outcome.id } : {}) };
	endMessage(run, message, outcome.rawFinishReason ?? outcome.finishReason, true, origin);
	run.count(outcome.usage);
	run.emit({ type: 'usage', turnIndex, usage: outcome.usage });
	const windowTokens = settings.contextWindowTokens ?? 0;
	if (windowTokens > 0) run.emit({ type: 'context_usage', usedTokens: run.meter.usedTokens, windowTokens });
	if (calls.length > 0) return { kind: 'calls', calls, registry, parallel: settings.parallelToolCalls ?? true };
	if (message.content.length === 0)
		run.emit({ type: 'warning', code: 'empty_response', message: 'The model answered with nothing. Ask it to go on.' });
	switch (outcome.finishReason) {
		case 'length':
			return { kind: 'stop', stopReason: 'max_tokens' };
		case 'content_filter':
			return { kind: 'stop', stopReason: 'content_filter' };
		case 'error':
			return failed(run, new Error('The model ended its response with an error. Try again.'));
		case 'stop':
		case 'tool_calls':
		case 'other':
			return { kind: 'stop', stopReason: 'end_turn' };
	}
}

/** Returns a function that prepares another attempt, or `null` if a retry is useless. */
async function retryable(
	run: RunState,
	outcome: Extract<ResponseOutcome, { kind: 'failed' }>,
	settings: TurnSettings,
	request: Request,
	attempts: { stream: number; overflow: number; plain: boolean }
): Promise<(() => Promise<void>) | null> {
	const { code, message } = errorData(outcome.error);
	if (code === 'context_length' && attempts.overflow++ === 0) {
		return (await makeRoom(run, settings, 'overflow')) ? () => Promise.resolve() : null;
	}
	if (code === 'invalid_request' && !attempts.plain && request.messages.some((m) => m.content.some(isThinking))) {
		attempts.plain = true;
		run.emit({ type: 'retry', attempt: 1, delayMs: 0, code, message });
		return () => Promise.resolve();
	}
	const { attempts: most = DEFAULT_STREAM_RETRIES, delayMs = DEFAULT_RETRY_DELAY_MS } = run.config.streamRetry ?? {};
	if (!outcome.hasContent || !BROKEN_OFF.has(code) || attempts.stream >= most) return null;
	attempts.stream += 1;
	const wait = delayMs * 2 ** (attempts.stream - 1);
	const attempt = attempts.stream;
	return () => {
		run.emit({ type: 'retry', attempt, delayMs: wait, code, message });
		return delay(wait, run.signal);
	};
}

function failed(run: RunState, cause: Error): TurnResponse {
	const error = errorData(cause);
	if (error.code === 'context_length')
		run.emit({ type: 'warning', code: 'context_overflow', message: `The context window overflowed: ${error.message}` });
	run.emit({ type: 'error', error, fatal: true });
	return { kind: 'stop', stopReason: 'error', error };
}

/** Ends a message; an empty one is not added to the history, since providers refuse it. */
function endMessage(
	run: RunState,
	message: Message,
	stopReason: string,
	keep: boolean,
	origin: MessageOrigin = {}
): void {
	const text = textOf(message, 'text');
	// Incomplete thinking has no signature and is never sent back, so alone it does not count as content.
	const hasContent = message.content.some((part) => part.type !== 'thinking' || part.signature || part.provider);
	run.text = text;
	if (keep && hasContent) run.append(message, origin);
	run.emit({ type: 'message_end', text, reasoning: textOf(message, 'thinking'), stopReason, message });
}

function textOf(message: Message, type: 'text' | 'thinking'): string {
	return message.content.map((part) => (part.type === type ? part.text : '')).join('');
}
