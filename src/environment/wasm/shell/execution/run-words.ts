import { parse, ShellSyntaxError } from '../ast/parse.ts';
import { ExitJump, ReturnJump, ShellError } from '../state/control.ts';
import type { Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { SyscallError } from '../../process/client.ts';
import { BadDescriptor } from '../streams/open-file.ts';
import { decode, encode } from '../streams/text.ts';
import { insteadOf } from './absent-commands.ts';
import { runExternal } from './external.ts';
import { findCommand, type Found } from './lookup.ts';
import { reason } from './redirections.ts';
import { runCommand, withRedirections } from './command.ts';
import { complain, runScript } from './script.ts';
import { runSubshell } from './subshell.ts';

/** Runs words that are already expanded: function, builtin, utility, tool or program. */
export async function runWords(
	shell: Shell,
	words: string[],
	skip: 'nothing' | 'functions' | 'builtins' = 'nothing'
): Promise<number> {
	await shell.control.breathe();
	const [name = '', ...args] = words;
	const found = findCommand(shell, name, skip);
	shell.variables.set('_', words.at(-1) ?? '');
	switch (found.kind) {
		case 'function':
			return callFunction(shell, found, name, args);
		case 'builtin':
		case 'utility':
			return callBuiltIn(shell, found.run, name, args);
		case 'tool':
			return shell.host.tools.run(shell, found.path.slice('/usr/bin/'.length), args);
		case 'program':
			// Called by its place, it is that one, whatever PATH has under its name.
			return runExternal(shell, [name.includes('/') ? found.path : name, ...args]);
		case 'file':
			return runFile(shell, found, name, args);
		case 'directory':
			complain(shell, `${name}: Is a directory`);
			return 126;
		case 'none':
			complain(shell, notFound(name));
			return 127;
	}
}

function notFound(name: string): string {
	if (name.includes('/')) return `${name}: No such file or directory`;
	const instead = insteadOf(name);
	return `${name}: command not found${instead === null ? '' : `\n${instead}`}`;
}

async function callFunction(
	shell: Shell,
	found: Extract<Found, { kind: 'function' }>,
	name: string,
	args: string[]
): Promise<number> {
	if (shell.callStack.length >= 1000)
		throw new ShellError(`${name}: maximum function nesting level exceeded (1000)`, 1, true);
	const { positional, loopDepth } = shell;
	shell.positional = args;
	shell.loopDepth = 0;
	shell.callStack.unshift(name);
	shell.variables.enterScope();
	const { body, redirections } = found.definition;
	try {
		const status = await withRedirections(shell, redirections, () => runCommand(shell, body));
		return await runReturnTrap(shell, status);
	} catch (error) {
		if (error instanceof ReturnJump) return await runReturnTrap(shell, error.status);
		throw error;
	} finally {
		shell.variables.leaveScope();
		shell.callStack.shift();
		shell.positional = positional;
		shell.loopDepth = loopDepth;
	}
}

async function runReturnTrap(shell: Shell, status: number): Promise<number> {
	const action = shell.traps.get('RETURN');
	if (action) await evaluate(shell, action);
	return status;
}

async function callBuiltIn(
	shell: Shell,
	run: (call: Call) => number | Promise<number>,
	name: string,
	args: string[]
): Promise<number> {
	const call: Call = {
		shell,
		name,
		args,
		out: (text) => shell.descriptors.require(1).write(encode(text)),
		complain: (text) =>
			shell.descriptors
				.get(2)
				?.write(
					encode(`${shell.host.builtins.has(name) ? `${shell.name}: line ${shell.line || 1}: ` : ''}${name}: ${text}\n`)
				)
	};
	try {
		return await run(call);
	} catch (error) {
		if (error instanceof SyscallError || error instanceof BadDescriptor) {
			await call.complain(
				error instanceof SyscallError && error.path ? `${error.path}: ${reason(error)}` : reason(error)
			);
			return 1;
		}
		throw error;
	}
}

/** A file of the volume: by its `#!` line as a process; text without one is a script for this shell. */
async function runFile(
	shell: Shell,
	found: Extract<Found, { kind: 'file' }>,
	name: string,
	args: string[]
): Promise<number> {
	if (!found.executable) {
		complain(shell, `${name}: Permission denied`);
		return 126;
	}
	const { sync } = shell.host.context;
	const head = decode(sync.readFile(found.path, 0, 128));
	if (head.startsWith('#!') || head.startsWith('\0asm')) return runExternal(shell, [found.path, ...args]);
	const text = decode(sync.readFile(found.path));
	return runSubshell(shell, async (inner) => {
		inner.name = name;
		inner.positional = args;
		return runScript(inner, parse(text));
	});
}

/** Runs source text in this shell. A syntax error is reported and gives 2. */
export async function evaluate(shell: Shell, source: string): Promise<number> {
	try {
		return await runScript(shell, parse(source));
	} catch (error) {
		if (!(error instanceof ShellSyntaxError)) throw error;
		complain(shell, error.message);
		if (!shell.interactive && shell.sourceDepth === 0) throw new ExitJump(2);
		return 2;
	}
}
