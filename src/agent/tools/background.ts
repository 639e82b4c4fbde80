import type { ExecResult, OutputChunk, Process } from '#environment/contract.ts';
import { RedactedStream } from '../guards/redacted-stream.ts';
import type { ToolState } from '../tool.ts';
import { ToolError } from './result.ts';

const BACKGROUND = Symbol('background processes');

/** Limit for unread output of a process. */
const MAX_UNREAD_CHARACTERS = 1_000_000;

/** A command that keeps running after its tool call returned. */
export class BackgroundProcess {
	#unread = '';
	readonly #redacted = new RedactedStream();
	#dropped = 0;
	#result: ExecResult | undefined;

	constructor(
		readonly id: number,
		readonly command: string,
		readonly process: Process
	) {
		void process.exited.then((result) => (this.#result = result));
	}

	/** Final result; `undefined` while it runs. */
	get result(): ExecResult | undefined {
		return this.#result;
	}

	add({ data }: OutputChunk): void {
		this.#keep(this.#redacted.push(data));
	}

	#keep(text: string): void {
		this.#unread += text;
		const over = this.#unread.length - MAX_UNREAD_CHARACTERS;
		if (over <= 0) return;
		this.#unread = this.#unread.slice(over);
		this.#dropped += over;
	}

	/** Returns the output since the last call, redacted. */
	take(): string {
		// A key split between two reads would be recognized in neither part.
		this.#keep(this.#result ? this.#redacted.end() : this.#redacted.peek());
		const text = this.#dropped ? `[${this.#dropped} earlier characters were dropped]\n${this.#unread}` : this.#unread;
		this.#unread = '';
		this.#dropped = 0;
		return text;
	}

	/** Resolves when the command has ended, after `waitMs`, or when the signal fires. */
	async settle(waitMs: number, signal: AbortSignal): Promise<void> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		let stop: (() => void) | undefined;
		const waited = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, waitMs);
			stop = resolve;
			signal.addEventListener('abort', resolve as () => void, { once: true });
		});
		await Promise.race([this.process.exited, waited]);
		clearTimeout(timer);
		if (stop) signal.removeEventListener('abort', stop);
	}
}

/** The background processes of a session. */
export class BackgroundProcesses {
	readonly #processes = new Map<number, BackgroundProcess>();
	#lastId = 0;

	static of(state: ToolState): BackgroundProcesses {
		return state.get(BACKGROUND, () => new BackgroundProcesses());
	}

	/** @param launch starts the process, given the callback for its output */
	async start(
		command: string,
		launch: (onOutput: (chunk: OutputChunk) => void) => Promise<Process>
	): Promise<BackgroundProcess> {
		const early: OutputChunk[] = [];
		let take = (chunk: OutputChunk): void => void early.push(chunk);
		const process = await launch((chunk) => take(chunk));
		const added = new BackgroundProcess(++this.#lastId, command, process);
		take = (chunk) => added.add(chunk);
		for (const chunk of early) added.add(chunk);
		this.#processes.set(added.id, added);
		return added;
	}

	/** @throws ToolError if there is no process with that id */
	find(id: number): BackgroundProcess {
		const found = this.#processes.get(id);
		if (found) return found;
		const known = [...this.#processes.keys()].join(', ') || 'none';
		throw new ToolError(`There is no background process ${id}. Known: ${known}.`);
	}

	list(): BackgroundProcess[] {
		return [...this.#processes.values()];
	}

	/** The ids and commands of processes that have not ended. */
	running(): { id: number; command: string }[] {
		return this.list().flatMap(({ id, command, result }) => (result ? [] : [{ id, command }]));
	}

	/** Ends all processes, at the end of a session. */
	async killAll(): Promise<void> {
		await Promise.all(this.list().map(({ process, result }) => (result ? undefined : process.kill('SIGTERM'))));
	}
}
