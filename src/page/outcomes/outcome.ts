import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import { plainOutput } from '#agent/tools/plain-output.ts';
import { eventsOf } from '../project/stored-events.ts';
import { Meters } from '../timeline/meters.ts';
import { exitCodeOf } from '../timeline/output.ts';
import { commandOf } from '#session/share/shown-command.ts';
import { runsTests } from '../timeline/runs-tests.ts';
import { readTestResult, type TestResult } from '../timeline/test-result.ts';
import { toolKind } from '../timeline/tool-kind.ts';

/** Results of a session since it diverged from another. */
export interface Outcome {
	/** Model that worked last; `null` if none has. */
	model: string | null;
	/** US dollars; `null` if no answer had a price. */
	costUsd: number | null;
	/** Input and output tokens. */
	tokens: number;
	/** Working time of the agent in milliseconds. */
	workedMs: number;
	turns: number;
	/** Last test run. */
	tests: { command: string; exitCode: number; result: TestResult | null } | null;
}

/**
 * Results of one session since it diverged from another.
 *
 * @param branch the session's entries from the root
 * @param other the other session's entries
 */
export function outcomeSince(branch: readonly SessionEntry[], other: readonly SessionEntry[]): Outcome {
	const shared = new Set(other.map(({ id }) => id));
	const events = eventsOf(branch.filter(({ id }) => !shared.has(id)));
	const meters = events.reduce((sum, event) => sum.take(event), new Meters());
	let model: string | null = null;
	let startMs: number | null = null;
	let workedMs = 0;
	let turns = 0;
	for (const event of events) {
		if (event.type === 'agent_start') [model, startMs] = [event.model, event.timestamp];
		else if (event.type === 'turn_end') turns++;
		else if (event.type === 'agent_end' && startMs !== null) {
			workedMs += event.timestamp - startMs;
			startMs = null;
		}
	}
	return {
		model,
		costUsd: meters.priced ? meters.costUsd : null,
		tokens: meters.inputTokens + meters.outputTokens,
		workedMs,
		turns,
		tests: lastTests(events)
	};
}

function lastTests(events: readonly SessionEvent[]): Outcome['tests'] {
	const commands = new Map<string, string>();
	let last: Outcome['tests'] = null;
	for (const event of events) {
		if (event.type === 'tool_call_start' && toolKind(event.toolName) === 'shell')
			commands.set(event.callId, commandOf(event.arguments));
		if (event.type !== 'tool_call_end') continue;
		const command = commands.get(event.callId);
		const exitCode = exitCodeOf(event.details);
		if (command !== undefined && exitCode !== undefined && runsTests(command))
			last = { command, exitCode, result: readTestResult(plainOutput(event.output)) };
	}
	return last;
}
