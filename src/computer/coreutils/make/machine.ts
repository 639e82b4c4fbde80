import { runWords } from '#computer/shell/execution/run-words.ts';
import { findCommand } from '#computer/shell/execution/lookup.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { expandGlob } from '#computer/shell/expansion/glob.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { collector } from '#computer/shell/streams/simple-streams.ts';
import { concat, decode, encode } from '#computer/process/text.ts';
import type { Machine } from './state.ts';

const OUTPUT_LIMIT_BYTES = 64 * 1_048_576;

/** Implements make's operations with the shell that make was started from. */
export function machineOf(call: Call): Machine {
	const { shell } = call;
	const { sync } = shell.host.context;
	const stat = (path: string) => sync.statOrNull(shell.path(path));
	return {
		modified: (path) => stat(path)?.modifiedMs ?? null,
		isFile: (path) => stat(path)?.kind === 'file',
		isDirectory: (path) => stat(path)?.kind === 'directory',
		names: (directory) =>
			stat(directory)?.kind === 'directory' ? sync.readdir(shell.path(directory)).map(({ name }) => name) : [],
		read: (path) => (stat(path)?.kind === 'file' ? decode(sync.readFile(shell.path(path))) : null),
		write(path, text, appends) {
			const before = appends && stat(path) ? decode(sync.readFile(shell.path(path))) : '';
			sync.writeFile(shell.path(path), encode(before + text));
		},
		touch(path) {
			if (!stat(path)) sync.writeFile(shell.path(path), new Uint8Array(0));
			sync.utimes(shell.path(path), Date.now(), Date.now());
		},
		remove: (path) => sync.remove(shell.path(path), { force: true }),
		glob: (pattern) => expandGlob(shell, [{ text: pattern, quoted: false }]),
		absolute: (path) => shell.path(path),
		real: (path) => (stat(path) ? sync.realpath(shell.path(path)) : null),
		run: (argv, environment) => runProgram(shell, argv, environment),
		output: (argv) => outputOf(shell, argv),
		missing: (program) => missing(shell, program),
		environment: (name) => shell.environment()[name],
		variables: () => shell.environment(),
		out: async (text) => call.out(text),
		complain: (text) => warn(shell, text),
		input: async () => decode(await shell.descriptors.require(0).readAll())
	};
}

/** Shell variables that are not passed to programs started by make. */
const SHELLS_OWN = /^(?:PWD|OLDPWD|SHLVL|_)$/;

function runProgram(shell: Shell, argv: readonly string[], environment: ReadonlyMap<string, string>): Promise<number> {
	return runSubshell(shell, async (inner) => {
		for (const name of Object.keys(shell.environment()))
			if (!environment.has(name) && !SHELLS_OWN.test(name)) inner.variables.declare(name, { exported: false });
		for (const [name, value] of environment) {
			inner.variables.set(name, value);
			inner.variables.declare(name, { exported: true });
		}
		return runWords(inner, [...argv], 'builtins');
	});
}

async function outputOf(shell: Shell, argv: readonly string[]): Promise<{ text: string; status: number }> {
	const out = collector(OUTPUT_LIMIT_BYTES);
	const status = await runSubshell(shell, (inner) => {
		inner.descriptors.set(1, new OpenFile(out.stream));
		return runWords(inner, [...argv], 'builtins');
	});
	return { text: decode(concat(out.pieces)), status };
}

function missing(shell: Shell, program: string): 'No such file or directory' | 'Permission denied' | null {
	const { kind } = findCommand(shell, program, 'builtins');
	if (kind === 'none') return 'No such file or directory';
	return kind === 'directory' ? 'Permission denied' : null;
}

export async function warn(shell: Shell, text: string): Promise<void> {
	await shell.descriptors.get(2)?.write(encode(text));
}
