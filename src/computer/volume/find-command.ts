import { SyscallError } from '#computer/abi/client.ts';
import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { errno } from '#computer/abi/errno.ts';
import { UTILITIES } from '#computer/abi/utilities.ts';
import type { Volume } from './volume.ts';

const PROGRAM_DIRECTORIES = new Set(['/usr/bin', '/bin', '/usr/local/bin']);
const MAX_INTERPRETERS = 4;
/** `\0asm`. */
const WASM_MAGIC = [0, 0x61, 0x73, 0x6d];

export interface Command {
	program: string;
	argv: string[];
}

/**
 * Finds what `argv` runs: a program of the sandbox, or a script of the volume by its `#!` line.
 *
 * @param programs command → program
 * @throws ENOENT if there is no such command, EACCES if a file is not executable
 */
export function findCommand(
	volume: Volume,
	programs: ReadonlyMap<string, string>,
	argv: string[],
	cwd: string,
	searchPath = '/usr/bin',
	depth = 0
): Command {
	const [name = '', ...rest] = argv;
	const file = locate(volume, programs, name, cwd, searchPath);
	const program = PROGRAM_DIRECTORIES.has(dirname(file)) ? programs.get(basename(file)) : undefined;
	if (program !== undefined) return { program, argv };
	const stat = volume.stat(file);
	if (stat.kind !== 'file' || !(stat.mode & 0o111)) throw errno('EACCES', name);
	if (depth >= MAX_INTERPRETERS) throw errno('ELOOP', name);
	const interpreter = interpreterOf(volume.readFile(file, 0, 256));
	return findCommand(volume, programs, [...interpreter, file, ...rest], cwd, searchPath, depth + 1);
}

/** Names of the commands that are not builtins of the shell, sorted. */
export function programsOfTheirOwn(programs: ReadonlyMap<string, string>): string[] {
	return [...programs.keys()].filter((name) => !UTILITIES.has(name)).sort();
}

function locate(
	volume: Volume,
	programs: ReadonlyMap<string, string>,
	name: string,
	cwd: string,
	searchPath: string
): string {
	if (name.includes('/')) return absolute(name, cwd);
	let isRefused = false;
	for (const directory of name === '' ? [] : searchPath.split(':')) {
		const file = absolute(name, absolute(directory || '.', cwd));
		if (PROGRAM_DIRECTORIES.has(dirname(file))) {
			if (programs.has(name)) return file;
			continue;
		}
		const found = isExecutable(volume, file);
		if (found) return file;
		isRefused ||= found === false;
	}
	if (name === '') throw errno('ENOENT', name);
	// The sandbox's own commands are found even without a valid PATH.
	if (programs.has(name)) return `/usr/bin/${name}`;
	if (isRefused) throw errno('EACCES', name);
	throw errno('ENOENT', name, `${name}: command not found`);
}

/** Returns null if there is no such file. */
function isExecutable(volume: Volume, file: string): boolean | null {
	try {
		const { kind, mode } = volume.stat(file);
		return kind === 'file' && (mode & 0o111) !== 0;
	} catch (error) {
		if (error instanceof SyscallError) return null;
		throw error;
	}
}

/** `#!/usr/bin/env node` → `['node']`. WebAssembly is run by `wasi-run`; a script without a `#!` line by the shell. */
function interpreterOf(head: Uint8Array): string[] {
	if (WASM_MAGIC.every((byte, index) => head[index] === byte)) return ['wasi-run'];
	const line = /^#!\s*(.*)/.exec(new TextDecoder().decode(head))?.[1]?.trim();
	if (!line) return ['sh'];
	const [file = '', ...args] = line.split(/\s+/);
	if (basename(file) === 'env') return args[0] === '-S' ? args.slice(1) : args;
	return [basename(file), ...args];
}
