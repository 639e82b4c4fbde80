import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { TerminalSize } from '../contract.ts';

/** A program that runs on the other side. A subset of Node's `ChildProcess`, which spawned programs use directly. */
export interface ExecProcess {
	/** Local id, if it has one. */
	readonly pid?: number | undefined;
	readonly stdin: Writable;
	readonly stdout: Readable;
	readonly stderr: Readable;
	once(event: 'error', listener: (error: Error) => void): unknown;
	once(event: 'close' | 'exit', listener: (code: number | null) => void): unknown;
	/** Closes the local end; the remote program is ended by a separate command. */
	kill(signal?: NodeJS.Signals): boolean;
}

/** A program on a terminal device of the other side. */
export interface ExecTerminal {
	readonly input: Writable;
	/** Standard output and error combined, as on a terminal. */
	readonly output: Readable;
	resize(size: TerminalSize): void;
	/** Exit code, available once the output has ended. Never rejects. */
	readonly exited: Promise<number>;
	/** Closes the local end. */
	close(): void;
}

/** Starts programs on another machine. */
export interface ExecChannel {
	/** Name for error messages. */
	readonly name: string;
	open(argv: readonly string[]): ExecProcess;
	/** Starts a program on a remote terminal device; absent if that is not possible. */
	openTerminal?(argv: readonly string[], size: TerminalSize): ExecTerminal;
}

/**
 * Creates a channel that starts a local program in front of each command, such as `docker exec -i box` or `ssh host`.
 */
export function spawnedChannel([program = '', ...rest]: readonly string[]): ExecChannel {
	return {
		name: [program, ...rest].join(' '),
		open: (argv) => {
			const child = spawn(program, [...rest, ...argv], { stdio: 'pipe' });
			child.stdin.on('error', () => {
				// It no longer reads its input; its exit code tells the reason.
			});
			return child;
		}
	};
}
