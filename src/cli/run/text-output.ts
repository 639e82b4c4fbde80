import type { SessionEvent } from '#agent/events.ts';
import { firstLine, printable } from '../printable.ts';

/** Streams that a run prints to. */
export interface Streams {
	/** The model's answers. */
	out: (text: string) => void;
	/** Everything else: steps, warnings, the summary. */
	err: (text: string) => void;
}

/** Prints a run's events as text: answers to `out`, one line for each step to `err`. */
export class TextOutput {
	/** Set while an answer has not ended with a line feed. */
	#isInLine = false;
	#costUsd = 0;

	constructor(private readonly streams: Streams) {}

	print(event: SessionEvent): void {
		switch (event.type) {
			case 'assistant_text_delta':
				return this.#answer(event.delta);
			case 'assistant_text_end':
				return this.#endLine();
			case 'tool_call_start':
				return this.#step(`• ${event.toolName} ${describe(event.arguments)}`);
			case 'tool_call_end':
				if (event.isError) this.#step(`  failed: ${firstLine(event.output)}`);
				return;
			case 'file_change':
				return this.#step(`  ${event.kind} ${printable(event.path)} (+${event.added} −${event.removed})`);
			case 'usage':
				this.#costUsd += event.usage.costUsd ?? 0;
				return;
			case 'warning':
				return this.#step(`Warning: ${printable(event.message)}`);
			case 'error':
				return this.#step(`Error: ${printable(event.error.message)}`);
			case 'subagent_event':
				if (event.event.type === 'tool_call_start')
					this.#step(`  [${event.agentId}] ${event.event.toolName} ${describe(event.event.arguments)}`);
				return;
		}
	}

	/** Prints how the run ended. */
	summary(turns: number, outcome: string): void {
		const cost = this.#costUsd > 0 ? `, $${this.#costUsd.toFixed(this.#costUsd < 0.1 ? 4 : 2)}` : '';
		this.#step(`${outcome} after ${turns} ${turns === 1 ? 'turn' : 'turns'}${cost}.`);
	}

	#answer(delta: string): void {
		const text = printable(delta);
		if (text === '') return;
		this.streams.out(text);
		this.#isInLine = !text.endsWith('\n');
	}

	#endLine(): void {
		if (this.#isInLine) this.streams.out('\n');
		this.#isInLine = false;
	}

	#step(line: string): void {
		this.#endLine();
		this.streams.err(`${line}\n`);
	}
}

/** Returns the most informative argument: command, path, pattern, or the first text. */
function describe(args: Record<string, unknown>): string {
	const known = ['command', 'cmd', 'file_path', 'path', 'pattern', 'query', 'url'].map((name) => args[name]);
	const text = [...known, ...Object.values(args)].find((value) => typeof value === 'string' && value !== '');
	return typeof text === 'string' ? firstLine(text) : '';
}
