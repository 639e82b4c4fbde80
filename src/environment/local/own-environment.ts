import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { env, platform } from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { CORE_VARIABLES } from './variables.ts';

/** Positions of `env_start` and `env_end` after the program's name in `/proc/self/stat`. */
const ENVIRONMENT_START = 47;
const ENVIRONMENT_END = 48;

let isDone = false;

/**
 * Overwrites the values of variables in the block that the kernel shows as `/proc/<pid>/environ`, which every command
 * of the same user could read, whatever it inherits. The variables themselves remain: their values are moved first.
 * Linux only, once, and only in the main thread, to which the block belongs.
 *
 * Not protected: this process's memory, which the same user can read if the kernel allows tracing
 * (`kernel.yama.ptrace_scope` 0), and other processes of the user. Commands with less than all rights can see neither.
 */
export function hideOwnVariables(): void {
	if (isDone || platform !== 'linux' || !isMainThread) return;
	isDone = true;
	try {
		const block = readFileSync('/proc/self/environ');
		const fields = readFileSync('/proc/self/stat', 'latin1')
			.replace(/^.*\) /s, '')
			.split(' ')
			.map(Number);
		const start = fields[ENVIRONMENT_START] ?? 0;
		if (start === 0 || (fields[ENVIRONMENT_END] ?? 0) - start < block.length) return;
		for (const { name, from, to } of secretValues(block)) if (moved(name)) overwrite(start + from, to - from);
	} catch {
		// Without a readable and writable /proc, nothing can be hidden; without it, nothing is exposed either.
	}
}

/** Names that commands do not inherit by default, with the offsets of their values in the block. */
function secretValues(block: Buffer): { name: string; from: number; to: number }[] {
	const found = [];
	for (let at = 0; at < block.length;) {
		const end = block.indexOf(0, at) === -1 ? block.length : block.indexOf(0, at);
		const equals = block.indexOf('=', at);
		if (equals !== -1 && equals < end) {
			const name = block.toString('utf8', at, equals);
			if (!CORE_VARIABLES.includes(name)) found.push({ name, from: equals + 1, to: end });
		}
		at = end + 1;
	}
	return found;
}

/** Makes the C library store the value elsewhere: setting a variable copies it. */
function moved(name: string): boolean {
	const value = env[name];
	if (value !== undefined) env[name] = value;
	return env[name] === value;
}

function overwrite(position: number, length: number): void {
	const memory = openSync('/proc/self/mem', 'r+');
	try {
		writeSync(memory, Buffer.alloc(length), 0, length, position);
	} finally {
		closeSync(memory);
	}
}
