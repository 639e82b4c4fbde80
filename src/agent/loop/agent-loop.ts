import type { ContentPart, Message, ToolCallPart } from '#llm/types.ts';
import type { AgentRun } from '../api.ts';
import { errorData } from '../error-data.ts';
import { EventQueue } from '../event-stream.ts';
import type { AgentResult, ErrorData, EventBody, SessionEvent, StopReason } from '../events.ts';
import { ConfigValidationError } from '../session-errors.ts';
import { DEFAULT_TOOL_ROUNDS, type AgentLoopConfig } from './config.ts';
import { makeRoom, warnWhenNearlyFull } from './context.ts';
import { RunState } from './run-state.ts';
import { runToolCalls } from './tool-calls.ts';
import { respond } from './turn.ts';

/**
 * The agent loop: calls the model, runs the tools it requests and repeats until it answers without a call, a limit is
 * reached or the signal fires. Stateless: persistent data comes in as `history` and goes out as events.
 *
 * @param input the user's message; empty to continue with the history
 * @throws ConfigValidationError synchronously for invalid limits; all later errors are in the result
 */
export function runAgentLoop(
	config: AgentLoopConfig,
	input: string | ContentPart[],
	history: Message[] = []
): AgentRun {
	for (const field of ['maxIterations', 'maxToolRounds', 'maxTurns'] as const)
		if ((config[field] ?? 0) < 0) throw new ConfigValidationError(field, `${field} must be 0 (unlimited) or more.`);
	const events = new EventQueue<SessionEvent>();
	const run = new RunState(config, history, eventSink(config, events));
	const content: ContentPart[] = typeof input === 'string' ? [{ type: 'text', text: input }] : input;
	const result = drive(run, content).finally(() => events.end());
	return { result, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
}

function eventSink(config: AgentLoopConfig, events: EventQueue<SessionEvent>): (body: EventBody) => void {
	const { host } = config;
	// The owner stores the events it stamps; queueing them here too would only use memory.
	if (host?.emit) return (body) => void host.emit?.(body);
	const sessionId = config.sessionId ?? crypto.randomUUID();
	let seq = 0;
	return (body) => events.push({ ...body, sessionId, seq: ++seq, timestamp: Date.now() });
}

interface Ending {
	stopReason: StopReason;
	error?: ErrorData;
}

/** Never rejects: a failure of the loop itself becomes a result too. */
async function drive(run: RunState, input: ContentPart[]): Promise<AgentResult> {
	const started = performance.now();
	let ending: Ending;
	try {
		await start(run, input);
		ending = await turns(run);
	} catch (cause) {
		const error = errorData(cause);
		run.emit({ type: 'error', error, fatal: true });
		ending = { stopReason: 'error', error };
	}
	const result: AgentResult = { text: run.text, turns: run.turns, usage: run.usage, ...ending };
	run.emit({ type: 'agent_end', result, durationMs: performance.now() - started });
	return result;
}

async function start(run: RunState, input: ContentPart[]): Promise<void> {
	const settings = await run.settings();
	run.emit({
		type: 'agent_start',
		model: settings.model,
		provider: settings.provider,
		tools: run.registry(settings.tools).names(),
		maxTurns: run.config.maxTurns ?? 0,
		maxToolRounds: run.config.maxToolRounds ?? DEFAULT_TOOL_ROUNDS,
		reasoningEffort: settings.reasoningEffort ?? null
	});
	if (input.length > 0) run.append({ role: 'user', content: input });
}

async function turns(run: RunState): Promise<Ending> {
	for (;;) {
		if (run.signal.aborted) return { stopReason: 'aborted' };
		const limit = limitReached(run);
		if (limit) {
			if (limit.message) run.emit({ type: 'turn_limit', message: limit.message, limit: limit.limit });
			return { stopReason: limit.stopReason };
		}
		injectSteering(run);
		injectNotices(run);
		const ending = await turn(run);
		if (!ending) continue;
		// Steering that arrived during the final text is answered in another round (003 §2.1).
		const goesOn = ending.stopReason === 'end_turn' && (run.host.steering?.pending() || (await mustGoOn(run)));
		if (!goesOn) return ending;
	}
}

/** Runs one response with its tool calls. Returns `null` if the loop continues. */
async function turn(run: RunState): Promise<Ending | null> {
	const turnIndex = run.turns++;
	const started = performance.now();
	let calls: ToolCallPart[] = [];
	run.emit({ type: 'turn_start', turnIndex });
	run.hooks.notify('beforeTurn', turnIndex);
	try {
		await run.host.beforeTurn?.();
		remind(run);
		const settings = await run.settings();
		await makeRoom(run, settings, 'before_request');
		warnWhenNearlyFull(run, settings);
		const response = await respond(run, turnIndex);
		if (response.kind === 'stop') return ending(response.stopReason, response.error);
		calls = response.calls.map(({ call }) => call);
		const round = await runToolCalls(run, response.calls, response.registry, response.parallel);
		run.append(round.message);
		run.toolRounds += 1;
		if (run.signal.aborted) return { stopReason: 'aborted' };
		if (round.denied) return { stopReason: 'permission_denied' };
		if (run.failures.tripped) return { stopReason: 'failure_threshold' };
		return lookForLoop(run);
	} finally {
		run.reminders.turnEnded();
		await run.host.persist?.();
		run.emit({ type: 'turn_end', turnIndex, toolCalls: calls, durationMs: performance.now() - started });
		run.hooks.notify('afterTurn', turnIndex);
	}
}

function ending(stopReason: StopReason, error: ErrorData | undefined): Ending {
	return error ? { stopReason, error } : { stopReason };
}

/** Returns true if the run must continue: the session has a message, which is added, or steering is queued. */
async function mustGoOn(run: RunState): Promise<boolean> {
	const message = await run.host.beforeEnd?.(run.text);
	if (message) addNotice(run, message);
	// A message of the user that arrived meanwhile is answered too.
	return Boolean(message) || run.host.steering?.pending() === true;
}

interface Limit {
	stopReason: StopReason;
	limit: number;
	message?: string;
}

function limitReached({ config, host, turns, toolRounds }: RunState): Limit | null {
	const { maxIterations = 0, maxToolRounds = DEFAULT_TOOL_ROUNDS, maxTurns = 0, turnsBefore = 0 } = config;
	if (maxToolRounds > 0 && toolRounds >= maxToolRounds)
		return {
			stopReason: 'turn_limit',
			limit: maxToolRounds,
			message: `The limit of ${maxToolRounds} tool rounds for one input is reached. Send a message to go on.`
		};
	if (maxTurns > 0 && turnsBefore + turns >= maxTurns)
		return {
			stopReason: 'turn_limit',
			limit: maxTurns,
			message: `The limit of ${maxTurns} turns for this session is reached. Raise it or start a new session.`
		};
	if (maxIterations > 0 && turns >= maxIterations) return { stopReason: 'max_iterations', limit: maxIterations };
	const spent = host.overBudget?.();
	return spent ? { stopReason: 'turn_limit', ...spent } : null;
}

function injectSteering(run: RunState): void {
	for (const content of run.host.steering?.take() ?? []) {
		run.appendSteering(content);
		run.emit({ type: 'steering_injected', content });
	}
}

function injectNotices(run: RunState): void {
	for (const message of run.host.notices?.() ?? []) addNotice(run, message);
}

function addNotice(run: RunState, message: string): void {
	run.appendNotice(message);
	run.emit({ type: 'notice', message });
}

function remind(run: RunState): void {
	const reminder = run.reminders.due();
	if (!reminder) return;
	// A separate block at the end, so that the prompt before it does not change.
	run.appendNotice(reminder.text);
	run.emit({ type: 'todo_reminder', turnsSinceUpdate: reminder.turnsSinceUpdate, items: reminder.items });
}

function lookForLoop(run: RunState): Ending | null {
	const loop = run.loops.detect();
	if (!loop) return null;
	const { message, pattern, endsRun } = loop;
	if (endsRun) {
		run.emit({ type: 'turn_limit', message, limit: run.turns });
		return { stopReason: 'turn_limit' };
	}
	run.appendNotice(message);
	run.emit({ type: 'loop_detection', message, pattern });
	return null;
}
