import type { EventOf, MachineChange, SessionEvent } from '#agent/events.ts';
import type { ReceiptStep, ShareBundle } from '../contract.ts';
import type { Gap, Problem } from './match.ts';
import { firstLink, nextLink, recordedCommands, type RecordedCommand } from './receipt.ts';
import { sha256 } from './sha256.ts';
import { commandOf } from './shown-command.ts';
import { steadyOutput } from './steady-output.ts';

/** A command of a share before it is run again, and whether its receipt matches the conversation. */
export interface Inspected {
	callId: string;
	/** Text displayed in the conversation; empty if it is not displayed. */
	command: string;
	problems: Problem[];
	gaps: Gap[];
	/** Kind of machine it ran on, according to the conversation; absent for the tab. */
	machine?: MachineChange['kind'];
	/** Absent if it cannot be run again. */
	run?: { step: ReceiptStep; recorded: RecordedCommand };
}

/**
 * Compares the receipt of a share with its conversation, in both directions: each step of the receipt, then
 * each displayed command without a step.
 */
export async function inspectReceipt(bundle: ShareBundle): Promise<Inspected[]> {
	const { entries, receipt = [] } = bundle;
	const shown = shownCalls(entries.flatMap((entry) => (entry.type === 'event' ? [entry.event] : [])));
	const recorded = recordedCommands(entries);
	const places = new Map(recorded.map(({ callId }, index) => [callId, index]));
	const carried = new Set([
		bundle.checkpoints[0]?.id ?? null,
		...(bundle.history ?? []).map((step) => step.checkpoint)
	]);
	const steps = countBy(receipt.map(({ callId }) => callId));
	const inspected: Inspected[] = [];
	let [link, place]: [string | null, number] = [await firstLink(entries), -1];
	for (const step of receipt) {
		const { callId } = step;
		const at = places.get(callId);
		const command = at === undefined ? undefined : recorded[at];
		if (!command || at === undefined) {
			inspected.push({ callId, command: '', problems: ['not_shown'], gaps: [] });
			link = null;
			continue;
		}
		const problems = await contradictions(step, command);
		if ((shown.counts.get(callId) ?? 0) > 1 || (steps.get(callId) ?? 0) > 1) problems.push('ambiguous');
		if (at < place) problems.push('out_of_order');
		const { machine } = command;
		if (step.machine !== undefined && step.machine !== machine) problems.push('other_chain');
		place = at;
		if (step.link !== undefined) {
			const expected: string | null = link === null ? null : await nextLink(link, step, command);
			if (expected !== step.link && problems.length === 0) problems.push('other_chain');
			link = step.link;
		}
		const gaps: Gap[] = [];
		if (step.link === undefined) gaps.push('older_kind');
		if (step.after === null) gaps.push('no_files_after');
		if (!carried.has(step.checkpoint)) problems.push('no_files');
		const run = carried.has(step.checkpoint) ? { run: { step, recorded: command } } : {};
		const where = machine === undefined ? {} : { machine };
		inspected.push({ callId, command: command.shownCommand || command.command, problems, gaps, ...where, ...run });
	}
	for (const { callId, command } of shown.calls)
		if (!steps.has(callId)) inspected.push({ callId, command, problems: [], gaps: ['no_receipt'] });
	return inspected;
}

/** Differences between the step and the conversation. */
async function contradictions(step: ReceiptStep, shown: RecordedCommand): Promise<Problem[]> {
	const problems: Problem[] = [];
	const isSame = shown.shownCommand === shown.command || shown.shownCommand === '';
	if (!isSame || (await sha256(shown.command)) !== step.command) problems.push('altered_command');
	const printed = step.link === undefined ? shown.raw : shown.printed;
	if ((await sha256(steadyOutput(printed, shown.exitCode))) !== step.output) problems.push('altered_output');
	if (shown.exitCode !== step.exitCode || shown.isError !== (step.exitCode !== 0)) problems.push('altered_exit_code');
	return problems;
}

/** All commands that the timeline shows, including those of subagents, and the number of calls per id. */
function shownCalls(events: readonly SessionEvent[]): {
	calls: { callId: string; command: string }[];
	counts: Map<string, number>;
} {
	const started = events
		.map(innermost)
		.filter((event): event is EventOf<'tool_call_start'> => event.type === 'tool_call_start');
	const ended = events.filter((event) => event.type === 'tool_call_end');
	const counts = countBy(started.map(({ callId }) => callId));
	// A card needs no start: an end without a start shows one too.
	for (const [callId, count] of countBy(ended.map(({ callId }) => callId)))
		counts.set(callId, Math.max(count, counts.get(callId) ?? 0));
	const calls = started.map(({ callId, arguments: args }) => ({ callId, command: commandOf(args) }));
	return { calls: calls.filter(({ command }) => command !== ''), counts };
}

function innermost(event: SessionEvent): SessionEvent {
	return event.type === 'subagent_event' ? innermost(event.event) : event;
}

function countBy(values: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
