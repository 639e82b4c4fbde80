import type { Message, ToolCallPart, ToolResultPart } from '#llm/types.ts';
import { PermissionDenied } from '../guards/refusals.ts';
import { DEFAULT_MAX_IMAGE_BYTES } from '../image-policy.ts';
import { countsAsFailure } from '../tools/failure.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { errorResult } from '../tools/result.ts';
import { truncateForModel } from '../tools/truncation.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { withinGrace } from './abortable.ts';
import { invalidCallResult, type CheckedCall } from './entry-validation.ts';
import type { RunState } from './run-state.ts';

/** Time an aborted tool has to return its partial result. */
const ABORT_GRACE_MS = 5_000;

/** 003 §2.2 */
export const SKIPPED_BY_STEERING = 'Skipped due to queued user message';
const SKIPPED_BY_STOP = 'Not run: the run was stopped. Nothing of this call happened.';
const SKIPPED_BY_DENIAL = 'Not run: the user denied permission in this round.';

export interface ToolRound {
	/** Role `tool`: one result per call, in call order. */
	message: Message;
	denied: boolean;
}

/**
 * Runs the calls of one response. If parallel calls are allowed, adjacent calls that do not write run together; a write
 * runs alone. Each call has one start event, one end event and one result, even if it is invalid, blocked, denied,
 * skipped or stopped.
 */
export async function runToolCalls(
	run: RunState,
	calls: CheckedCall[],
	registry: ToolRegistry,
	parallel: boolean
): Promise<ToolRound> {
	const round = new Round(run, registry);
	const results: ToolResultPart[] = [];
	try {
		for (const group of parallel ? groupByAccess(calls, registry) : calls.map((call) => [call]))
			results.push(...(await Promise.all(group.map((checked) => round.run(checked)))));
	} finally {
		round.end();
	}
	return { message: { role: 'tool', content: results }, denied: round.denied };
}

function withNote(text: string, { note }: ToolResult): string {
	return note === undefined ? text : `${text}\n\n${note}`;
}

/** Groups adjacent calls that can run at the same time. */
export function groupByAccess(calls: CheckedCall[], registry: Pick<ToolRegistry, 'access'>): CheckedCall[][] {
	const groups: CheckedCall[][] = [];
	let open: CheckedCall[] | null = null;
	for (const checked of calls) {
		if (registry.access(checked.call.name) === 'write') {
			groups.push([checked]);
			open = null;
		} else if (open) open.push(checked);
		else groups.push((open = [checked]));
	}
	return groups;
}

class Round {
	denied = false;
	readonly #interruption = new AbortController();
	readonly #signal: AbortSignal;
	readonly #unsubscribe: (() => void) | undefined;

	constructor(
		private readonly state: RunState,
		private readonly registry: ToolRegistry
	) {
		const { steering } = state.host;
		if (steering?.interrupting()) this.#interruption.abort();
		this.#unsubscribe = steering?.onInterrupt(() => this.#interruption.abort());
		this.#signal = AbortSignal.any([state.signal, this.#interruption.signal]);
	}

	end(): void {
		this.#unsubscribe?.();
	}

	async run({ call, problem }: CheckedCall): Promise<ToolResultPart> {
		const { emit, hooks, limits, loops, failures } = this.state;
		const started = performance.now();
		emit({ type: 'tool_call_start', callId: call.id, toolName: call.name, arguments: call.arguments });
		const skipped = this.#reasonToSkip();
		let result: ToolResult;
		if (skipped) result = errorResult(skipped, { refused: true, skipped: true });
		else if (problem) result = errorResult(invalidCallResult(problem));
		else result = await hooks.toolResult(call.name, await this.#execute(call));
		emit({
			type: 'tool_call_end',
			callId: call.id,
			toolName: call.name,
			output: withNote(result.fullOutput ?? result.content, result),
			...(result.details === undefined ? {} : { details: result.details }),
			isError: result.isError,
			durationMs: performance.now() - started
		});
		hooks.notify('afterToolExecution', call.name, result);
		const tool = this.registry.find(call.name)?.tool;
		const neutralName = tool?.name ?? call.name;
		const content = withNote(truncateForModel(neutralName, result.content, limits), result);
		if (!skipped) {
			failures.push(countsAsFailure(result));
			loops.push(call, tool?.polls ? content : null);
		}
		return {
			type: 'tool_result',
			callId: call.id,
			toolName: call.name,
			content,
			...(result.images ? { images: result.images } : {}),
			isError: result.isError
		};
	}

	#reasonToSkip(): string | null {
		if (this.state.signal.aborted) return SKIPPED_BY_STOP;
		if (this.denied) return SKIPPED_BY_DENIAL;
		return this.#interruption.signal.aborted ? SKIPPED_BY_STEERING : null;
	}

	async #execute(call: ToolCallPart): Promise<ToolResult> {
		const { emit, hooks, host } = this.state;
		const prepared = this.registry.prepare(call);
		if (!prepared.ok) return prepared.result;
		const blocked = await hooks.gateToolCall(call.name, call.arguments, this.#signal);
		if (blocked !== null) return errorResult(blocked, { refused: true, blocked: true });
		hooks.notify('beforeToolExecution', call.name, call.arguments);
		let open = true;
		const onProgress = (delta: string): void => {
			if (open && delta !== '') emit({ type: 'tool_call_output_delta', callId: call.id, delta });
		};
		const context = host.toolContext?.(call, this.#signal, onProgress) ?? this.#bareContext(call, onProgress);
		const binding = this.registry.find(call.name);
		const execute = (): Promise<ToolResult> =>
			withinGrace(prepared.run(context), this.#signal, ABORT_GRACE_MS, () =>
				errorResult('Operation aborted', { refused: true })
			);
		try {
			return await (binding && host.aroundToolCall
				? host.aroundToolCall(call, binding, execute, this.#signal)
				: execute());
		} catch (error) {
			if (error instanceof PermissionDenied) {
				this.denied = true;
				return errorResult(error.message, { refused: true, denied: true });
			}
			return errorResult(`Tool error (${call.name}): ${error instanceof Error ? error.message : String(error)}`);
		} finally {
			open = false;
		}
	}

	/** Context without a session: there are no guards, user or subagents. */
	#bareContext(call: ToolCallPart, onProgress: (delta: string) => void): ToolContext {
		const { config, limits, todo, toolState } = this.state;
		return {
			callId: call.id,
			agentId: 'main',
			environment: config.environment,
			signal: this.#signal,
			onProgress,
			propose: () => Promise.resolve(),
			state: toolState,
			limits,
			images: { maxBytes: DEFAULT_MAX_IMAGE_BYTES },
			todo
		};
	}
}
