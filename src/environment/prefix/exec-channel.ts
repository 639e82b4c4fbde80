import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

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

/** Way to start programs on another machine. */
export interface ExecChannel {
	/** Name for error messages. */
	readonly name: string;
	open(argv: readonly string[]): ExecProcess;
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
