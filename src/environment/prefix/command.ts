import { randomUUID } from 'node:crypto';
import type { ExecOptions, ExecResult, Process, Signal } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { OutputBuffer } from '../output-buffer.ts';
import { commandArguments, SHELL_LEVEL } from '../shell-start.ts';
import { AfterMark } from './after-mark.ts';
import type { ExecProcess } from './exec-channel.ts';
import { MarkedStream } from './marked-stream.ts';
import { shellWord } from '../shell-word.ts';
import { collected } from './collected.ts';
import type { Prefix } from './prefix.ts';
import { KILLER, RUNNER } from './scripts.ts';
import { pauseUntil } from '../local/pause-until.ts';
import { endInput, writeInput } from '../local/process-input.ts';

/** Time to wait for a remote command to end; 000 §4.2 gives the command itself 2 s. */
const KILL_MS = 6_000;

export interface CommandPlace {
	shell: string;
	/** Real path. */
	cwd: string;
	set: Record<string, string>;
	unset: readonly string[];
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Shell lines that unset and set variables. */
export function variableLines(unset: readonly string[], set: Readonly<Record<string, string>>): string {
	const exports = Object.entries({ ...SHELL_LEVEL, ...set }).filter(([name]) => IDENTIFIER.test(name));
	return [
		...unset.filter((name) => IDENTIFIER.test(name)).map((name) => `unset ${name}`),
		...exports.map(([name, value]) => `export ${name}=${shellWord(value)}`)
	].join('\n');
}

/** Words that start a program without variables whose names no shell can unset: functions exported by bash. */
export const withoutVariables = (unset: readonly string[]): string[] => {
	const names = unset.filter((name) => !IDENTIFIER.test(name));
	return names.length === 0 ? [] : ['env', ...names.flatMap((name) => ['-u', name])];
};

/** A command behind a prefix, in its own remote process group. */
export class RemoteCommand implements Process {
	readonly exited: Promise<ExecResult>;
	readonly #mark = `sandglass-${randomUUID()}`;
	readonly #child: ExecProcess;
	readonly #output: Record<'stdout' | 'stderr', OutputBuffer>;
	readonly #started = performance.now();
	/** Remote process group, as `kill` expects it; `undefined` if the command ended before it started. */
	readonly #group: Promise<string | undefined>;
	#foundGroup: (group: string | undefined) => void = () => {};
	#ending: Promise<void> | undefined;
	#reason: 'timeout' | 'abort' | undefined;
	#code: number | undefined;
	#remoteId = 0;
	#hasLeftovers = false;
	#ended = false;

	constructor(
		private readonly prefix: Prefix,
		command: string,
		{ shell, cwd, set, unset }: CommandPlace,
		options: ExecOptions
	) {
		const { maxOutputCharacters } = options;
		this.#output = { stdout: new OutputBuffer(maxOutputCharacters), stderr: new OutputBuffer(maxOutputCharacters) };
		this.#group = new Promise((resolve) => (this.#foundGroup = resolve));
		this.#child = prefix.run(`${variableLines(unset, { ...set, ...options.env })}\n${RUNNER}`, [
			this.#mark,
			cwd,
			...withoutVariables(unset),
			shell,
			...commandArguments(shell, command)
		]);
		this.exited = this.#run(options);
	}

	/** Id of the local process if there is one; otherwise the remote one, once it has started. */
	get pid(): number {
		return this.#child.pid ?? this.#remoteId;
	}

	/** @throws EnvironmentError `EIO` if the remote shell could not be started */
	async whenStarted(): Promise<void> {
		if ((await this.#group) !== undefined) return;
		const { stderr } = await this.exited;
		if (this.#reason === undefined)
			throw new EnvironmentError('EIO', `The command could not be started: ${stderr.trim()}`);
	}

	async write(data: string | Uint8Array): Promise<void> {
		if (this.#ended) throw new EnvironmentError('EPIPE', 'The process has ended.');
		await writeInput(this.#child.stdin, data);
	}

	closeInput(): Promise<void> {
		return endInput(this.#child.stdin);
	}

	async kill(signal: Signal = 'SIGTERM'): Promise<void> {
		if (this.#ended) {
			if (this.#hasLeftovers) await this.#end(signal);
			return;
		}
		this.#ending ??= this.#end(signal);
		await this.#ending;
		await this.exited;
	}

	/** Sends a signal without waiting for its effect. */
	async signal(signal: Signal): Promise<void> {
		await this.#send(signal, false);
	}

	/** Returns true if a child of the command kept running after it ended. */
	hasLeftovers(): boolean {
		return this.#hasLeftovers;
	}

	async #run({ timeoutMs, signal, onOutput }: ExecOptions): Promise<ExecResult> {
		const out = this.#listen('stdout', onOutput);
		const err = this.#listen('stderr', onOutput, (line) => this.#hear(line));
		const closed = new Promise<number>((resolve) => {
			this.#child.once('error', () => resolve(127));
			this.#child.once('close', (code) => resolve(code ?? 255));
		});
		const end = (reason: 'timeout' | 'abort'): void => {
			this.#reason ??= reason;
			this.#ending ??= this.#end('SIGTERM');
		};
		const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), timeoutMs);
		const aborted = (): void => end('abort');
		signal?.addEventListener('abort', aborted, { once: true });
		const status = await Promise.race([closed, Promise.all([out.over, err.over])]);
		this.#ended = true;
		clearTimeout(timer);
		signal?.removeEventListener('abort', aborted);
		this.#foundGroup(undefined);
		await this.#ending;
		out.finish();
		err.finish();
		// Otherwise a child of the command that keeps the connection open would delay the end.
		this.#child.kill('SIGKILL');
		return {
			stdout: this.#output.stdout.text(),
			stderr: this.#output.stderr.text(),
			exitCode: this.#exitCode(typeof status === 'number' ? status : 0),
			timedOut: this.#reason === 'timeout',
			durationMs: performance.now() - this.#started
		};
	}

	#listen(
		name: 'stdout' | 'stderr',
		onOutput: ExecOptions['onOutput'],
		onLine?: (line: string) => boolean
	): { over: Promise<void>; finish(): void } {
		const take = (data: string): void => {
			this.#output[name].add(data);
			pauseUntil(this.#child[name], onOutput?.({ stream: name, data }));
		};
		const marked = new MarkedStream(this.#mark, take, onLine);
		const own = new AfterMark(this.prefix.beginning);
		const over = new Promise<void>((resolve) =>
			this.#child[name].on('data', (bytes: Buffer) => {
				marked.add(own.add(bytes));
				if (marked.isOver) resolve();
			})
		);
		const finish = (): void => {
			marked.add(own.rest());
			marked.finish();
		};
		return { over, finish };
	}

	/** Handles a line printed by the script itself. Returns true if it is the last. */
	#hear(line: string): boolean {
		const [word, value = '', left] = line.split(' ');
		if (word === 'pid') {
			// The first such line is the script's; remote programs can print others.
			if (this.#remoteId === 0 && /^-?\d{1,10}$/.test(value)) this.#remoteId = Math.abs(Number(value));
			this.#foundGroup(value);
			return false;
		}
		const code = Number(value);
		// A remote program can print this line too.
		this.#code = Number.isInteger(code) && code >= 0 && code <= 255 ? code : 255;
		this.#hasLeftovers = left === 'left';
		return true;
	}

	/** Asks the remote group to end, then kills it, and abandons the local process if that takes too long. */
	async #end(signal: Signal): Promise<void> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise((resolve) => (timer = setTimeout(resolve, KILL_MS)));
		await Promise.race([this.#send(signal, true), late]);
		clearTimeout(timer);
		if (!this.#ended && this.#code === undefined) {
			const gone = new Promise((resolve) => (timer = setTimeout(resolve, 1_000)));
			await Promise.race([gone, new Promise((resolve) => this.#child.once('close', resolve))]);
			clearTimeout(timer);
			this.#child.kill('SIGKILL');
		}
	}

	async #send(signal: Signal, untilEnded: boolean): Promise<void> {
		const group = await this.#group;
		if (group !== undefined) await collected(this.prefix.run(KILLER, [group, signal.slice(3), untilEnded ? '1' : '0']));
	}

	#exitCode(status: number): number {
		if (this.#reason === 'timeout') return 124;
		if (this.#reason === 'abort') return 130;
		return this.#code ?? status;
	}
}
