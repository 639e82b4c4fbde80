import { z } from 'zod';
import type { EventOf, SessionEvent } from '../../agent/events.ts';
import type { SessionEntry } from '../../agent/session-log.ts';
import type { ReceiptStep, ShareBundle } from '../contract.ts';
import { sha256 } from './sha256.ts';
import { steadyOutput } from './steady-output.ts';

/** A command that ran to its end by itself, as its tool tells the page. */
const ended = z.object({
	command: z.string(),
	exitCode: z.number(),
	timedOut: z.literal(false),
	truncated: z.literal(false),
	refused: z.undefined().optional()
});

/** Where tools are told to run, whatever their profile calls it. */
const DIRECTORY = ['working_dir', 'workdir', 'dir_path', 'cwd', 'directory'];

/** A command of the agent that can be run again. */
export interface RecordedCommand {
	callId: string;
	command: string;
	/** Absent: the working directory. */
	cwd?: string;
	/** As the tool told the model. */
	printed: string;
	exitCode: number;
	/** The checkpoint taken right before it. */
	checkpoint: string;
	/** The next one, where nothing else was done before it was taken. */
	next: string | null;
}

/** The commands of a conversation whose files before them are known: those that ran alone, to their end. */
export function recordedCommands(entries: readonly SessionEntry[]): RecordedCommand[] {
	const events = entries.flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));
	const commands: RecordedCommand[] = [];
	let started: EventOf<'tool_call_start'> | null = null;
	let checkpoint: string | null = null;
	events.forEach((event, index) => {
		if (event.type === 'tool_call_start') {
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
					...(cwd === undefined ? {} : { cwd }),
					printed: event.output,
					exitCode: details.data.exitCode,
					checkpoint,
					next: nextCheckpoint(events, index)
				});
			}
			started = null;
		}
	});
	return commands;
}

/** How many commands of a share can be run again. */
export function countVerifiable({ history, receipt = [] }: ShareBundle): number {
	return history ? receipt.length : 0;
}

/** @param hashes of the files at each checkpoint, by its id */
export async function makeReceipt(
	entries: readonly SessionEntry[],
	hashes: ReadonlyMap<string, string>
): Promise<ReceiptStep[]> {
	const steps: ReceiptStep[] = [];
	for (const { callId, command, printed, exitCode, checkpoint, next } of recordedCommands(entries)) {
		const before = hashes.get(checkpoint);
		if (before === undefined) continue;
		steps.push({
			callId,
			checkpoint,
			before,
			command: await sha256(command),
			output: await sha256(steadyOutput(printed)),
			exitCode,
			after: (next === null ? undefined : hashes.get(next)) ?? null
		});
	}
	return steps;
}

function nextCheckpoint(events: readonly SessionEvent[], after: number): string | null {
	for (const event of events.slice(after + 1)) {
		if (event.type === 'checkpoint') return event.checkpointId;
		// From here on the person may have changed files.
		if (event.type === 'agent_end' || event.type === 'user_input') return null;
		if (event.type === 'tool_call_start') {
			// The checkpoint before a command is taken after its call has begun.
			const taken = events.slice(events.indexOf(event) + 1).find(({ type }) => type !== 'tool_call_delta');
			return taken?.type === 'checkpoint' ? taken.checkpointId : null;
		}
	}
	return null;
}

function directoryOf(args: Record<string, unknown>): string | undefined {
	const value = DIRECTORY.map((name) => args[name]).find((given) => typeof given === 'string' && given !== '');
	return typeof value === 'string' ? value : undefined;
}
