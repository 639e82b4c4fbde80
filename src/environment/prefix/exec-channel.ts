import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { TerminalSize } from '../contract.ts';

/** A program that runs on the other side. Part of Node's child process, so that a spawned one is one. */
export interface ExecProcess {
	/** Local id, if it has one. */
	readonly pid?: number | undefined;
	readonly stdin: Writable;
	readonly stdout: Readable;
	readonly stderr: Readable;
	once(event: 'error', listener: (error: Error) => void): unknown;
	once(event: 'close' | 'exit', listener: (code: number | null) => void): unknown;
	/** Lets go of this side; what runs over there is ended by a command of its own. */
	kill(signal?: NodeJS.Signals): boolean;
}

/** A program on a terminal device of the other side. */
export interface ExecTerminal {
	readonly input: Writable;
	/** Both outputs, as a terminal prints them. */
	readonly output: Readable;
	resize(size: TerminalSize): void;
	/** Exit code, once the output has ended. Never rejects. */
	readonly exited: Promise<number>;
	/** Lets go of this side. */
	close(): void;
}

/** Way to start programs on another machine. */
export interface ExecChannel {
	/** Name for error messages. */
	readonly name: string;
	open(argv: readonly string[]): ExecProcess;
	/** Starts a program on a terminal device over there; absent where that is not possible. */
	openTerminal?(argv: readonly string[], size: TerminalSize): ExecTerminal;
}

/** Channel that starts a local program in front of each command, such as `docker exec -i box` or `ssh host`. */
export function spawnedChannel([program = '', ...rest]: readonly string[]): ExecChannel {
	return {
		name: [program, ...rest].join(' '),
		open: (argv) => {
			const child = spawn(program, [...rest, ...argv], { stdio: 'pipe' });
			child.stdin.on('error', () => {
				// It reads no more; how it ended says the rest.
			});
			return child;
		}
	};
}
