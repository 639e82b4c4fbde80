import { z } from 'zod';
import type { EventOf, MachineChange, SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ReceiptStep, ShareBundle } from '../contract.ts';
import { plainOutput } from '#agent/tools/plain-output.ts';
import { sha256 } from './sha256.ts';
import { commandOf } from './shown-command.ts';
import { steadyOutput } from './steady-output.ts';

/** Details of a command that exited on its own, as its tool reports them to the page. */
const ended = z.object({
	command: z.string(),
	exitCode: z.number(),
	timedOut: z.literal(false),
	truncated: z.literal(false),
	refused: z.undefined().optional()
});

/** Parameter names for the working directory, across profiles. */
const DIRECTORY = ['working_dir', 'workdir', 'dir_path', 'cwd', 'directory'];

/** A command of the agent that can be run again. */
export interface RecordedCommand {
	callId: string;
	command: string;
	/** The command as the timeline shows it. */
	shownCommand: string;
	/** Defaults to the working directory. */
	cwd?: string;
	/** Output as the timeline shows it. */
	printed: string;
	/** Output with its escape sequences, which receipts of an older version use. */
	raw: string;
	exitCode: number;
	isError: boolean;
	/** The checkpoint taken directly before it. */
	checkpoint: string;
	/** The next checkpoint, if nothing else happened before it was taken. */
	next: string | null;
	/** Kind of machine that the conversation used; absent for the tab. */
	machine?: MachineChange['kind'];
}

/** Commands of a conversation with known files before them: those that ran alone and exited. */
export function recordedCommands(entries: readonly SessionEntry[]): RecordedCommand[] {
	const events = entries.flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));
	const commands: RecordedCommand[] = [];
	let started: EventOf<'tool_call_start'> | null = null;
	let checkpoint: string | null = null;
	let machine: MachineChange['kind'] | null = null;
	events.forEach((event, index) => {
		if (event.type === 'machine_change') machine = event.action === 'move' ? event.kind : null;
		// A fork begins in the tab.
		else if (event.type === 'session_fork') machine = null;
		else if (event.type === 'tool_call_start') {
			started = event;
			checkpoint = null;
		} else if (event.type === 'checkpoint') {
			checkpoint = event.checkpointId;
		} else if (event.type === 'tool_call_end') {
			const details = ended.safeParse(event.details);
			if (details.success && checkpoint !== null && started?.callId === event.callId) {
				const cwd = directoryOf(started.arguments);
				commands.push({
					callId: event.callId,
					command: details.data.command,
					shownCommand: commandOf(started.arguments),
					...(cwd === undefined ? {} : { cwd }),
					printed: plainOutput(event.output),
					raw: event.output,
					exitCode: details.data.exitCode,
					isError: event.isError,
					checkpoint,
					next: nextCheckpoint(events, index),
					...(machine === null ? {} : { machine })
				});
			}
			started = null;
		}
	});
	return commands;
}

/** Number of commands of a share that can be run again. */
export function countVerifiable({ history, receipt = [] }: ShareBundle): number {
	return history ? receipt.length : 0;
}

/**
 * Creates the receipt of a session.
 * @param hashes of the files at each checkpoint, by its id
 */
export async function makeReceipt(
	entries: readonly SessionEntry[],
	hashes: ReadonlyMap<string, string>
): Promise<ReceiptStep[]> {
	const steps: ReceiptStep[] = [];
	let link = await firstLink(entries);
	for (const recorded of recordedCommands(entries)) {
		const { callId, command, printed, exitCode, checkpoint, next, machine } = recorded;
		const before = hashes.get(checkpoint);
		if (before === undefined) continue;
		const step = {
			callId,
			checkpoint,
			before,
			command: await sha256(command),
			output: await sha256(steadyOutput(printed, exitCode)),
			exitCode,
			after: (next === null ? undefined : hashes.get(next)) ?? null,
			...(machine === undefined ? {} : { machine })
		};
		link = await nextLink(link, step, recorded);
		steps.push({ ...step, link });
	}
	return steps;
}

/** First link of a receipt's chain, derived from its session. */
export function firstLink(entries: readonly SessionEntry[]): Promise<string> {
	const root = entries.find((entry) => entry.type === 'session');
	return sha256(JSON.stringify(['receipt', root?.sessionId ?? '']));
}

/** Link of a step: covers the previous link, the step, and everything that the timeline shows of the command. */
export function nextLink(link: string, step: Omit<ReceiptStep, 'link'>, shown: RecordedCommand): Promise<string> {
	const { callId, checkpoint, before, command, output, exitCode, after, machine } = step;
	const place = machine === undefined ? [] : [machine];
	const recorded = [callId, checkpoint, before, command, output, exitCode, after, ...place];
	const seen = [shown.shownCommand, shown.cwd ?? null, shown.printed, shown.exitCode, shown.isError];
	return sha256(JSON.stringify([link, recorded, seen]));
}

function nextCheckpoint(events: readonly SessionEvent[], after: number): string | null {
	let isCalling = false;
	for (let index = after + 1; index < events.length; index++) {
		const event = events[index];
		if (event?.type === 'checkpoint') return event.checkpointId;
		// From here on the user may have changed files.
		if (event?.type === 'agent_end' || event?.type === 'user_input') return null;
		// The checkpoint before a command is taken directly after its call has started.
		if (isCalling && event?.type !== 'tool_call_delta') return null;
		if (event?.type === 'tool_call_start') isCalling = true;
	}
	return null;
}

function directoryOf(args: Record<string, unknown>): string | undefined {
	const value = DIRECTORY.map((name) => args[name]).find((given) => typeof given === 'string' && given !== '');
	return typeof value === 'string' ? value : undefined;
}
