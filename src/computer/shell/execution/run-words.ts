import { faultOfOptions } from '../builtins/read-options.ts';
import { restoreOptions } from '../builtins/settings.ts';
import { usageOf } from '../builtins/usage.ts';
import type { FunctionDefinition, Statement } from '../ast/nodes.ts';
import { ShellSyntaxError } from '../parser/error.ts';
import { ScriptReader } from '../parser/parse.ts';
import { ExitJump, LineJump, ReturnJump, ShellError } from '../state/control.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import { SPECIAL_BUILTINS } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { BadDescriptor, BrokenPipe, WriteFailed } from '../streams/open-file.ts';
import { decode, encode } from '#computer/process/text.ts';
import { insteadOf } from './absent-commands.ts';
import { runExternal } from './external.ts';
import { findCommand, findHashed, type Found } from './lookup.ts';
import { reason } from './redirections.ts';
import { runCommand } from './command.ts';
import { lastCommand } from './replacement.ts';
import { complain, runStatements } from './script.ts';
import { hideTraps, runTrap } from './traps.ts';
import { ShellDialect } from './shell-dialect.ts';
import { prepareArguments } from './substituted-arguments.ts';
import { runSubshell } from './subshell.ts';

/** Commands that end by running another one, which then replaces the shell if possible. */
const PASSES_ON: ReadonlySet<string> = new Set(['command', 'env', 'exec', 'nice', 'stdbuf']);

/** Runs words that are already expanded: function, builtin, utility, tool or program. */
export async function runWords(
	shell: Shell,
	words: string[],
	skip: 'nothing' | 'functions' | 'builtins' = 'nothing'
): Promise<number> {
	const { isThrough } = shell;
	const [name = '', ...args] = words;
	shell.isThrough = isThrough && PASSES_ON.has(name);
	await shell.control.yieldIfDue();
	if (shell.restricted && name.includes('/')) {
		shell.complain(`${name}: restricted: cannot specify \`/' in command names`);
		return 1;
	}
	const found = skip === 'builtins' ? findCommand(shell, name, skip) : findHashed(shell, name, skip);
	shell.variables.set('_', words.at(-1) ?? '');
	if (found.kind !== 'function') shell.variables.keepTemporary();
	try {
		if (shell.host.substitutions.size > 0) await prepareArguments(shell, found, name, args);
		return await runFound(shell, found, name, args, { skip, isLast: isThrough });
	} finally {
		shell.isThrough = false;
		// bash notices jobs that have ended when it waits for a foreground process.
		if (found.kind !== 'function' && found.kind !== 'builtin' && !shell.interactive) shell.jobs.forgetEnded();
	}
}

/** Special builtins whose status 2 may come from the commands they run. */
const RUNS_COMMANDS: ReadonlySet<string> = new Set(['.', 'eval', 'exec', 'source', 'exit']);

/**
 * Ends a shell in POSIX mode after a usage error of a special builtin, unless it was run by `command` or as a
 * condition.
 */
function checkSpecial(shell: Shell, skip: string, name: string, status: number): number {
	const isMisuse = SPECIAL_BUILTINS.has(name) && (shell.endsPosix || (status === 2 && !RUNS_COMMANDS.has(name)));
	const ends = shell.options.posix && !shell.interactive && shell.conditionDepth === 0;
	if (isMisuse && skip === 'nothing' && ends) throw new ExitJump(status);
	return status;
}

async function runFound(
	shell: Shell,
	found: Found,
	name: string,
	args: string[],
	{ skip, isLast }: { skip: string; isLast: boolean }
): Promise<number> {
	switch (found.kind) {
		case 'function':
			return callFunction(shell, found, name, args);
		case 'builtin':
			shell.endsPosix = false;
			return checkSpecial(shell, skip, name, await callBuiltIn(shell, found.run, name, args));
		case 'utility':
			return callUtility(shell, found.run, name, args);
		case 'program':
			// Called by its path, that file is run, whatever PATH contains under its name.
			return runExternal(shell, [name.includes('/') ? found.path : name, ...args], { isLast });
		case 'file':
			return runFile(shell, found, name, args, isLast);
		case 'directory':
			complain(shell, `${name}: Is a directory`);
			return 126;
		case 'too-long':
			complain(shell, `${name}: File name too long`);
			return 126;
		case 'none':
			complain(shell, notFound(name));
			return 127;
	}
}

/** Runs a utility that is part of the shell: a pipe without a reader only ends the utility. */
export async function callUtility(shell: Shell, run: BuiltIn, name: string, args: string[]): Promise<number> {
	const before = shell.openedPipes;
	shell.openedPipes = [];
	try {
		return await callBuiltIn(shell, run, name, args, false);
	} catch (error) {
		if (error instanceof BrokenPipe) return 141;
		throw error;
	} finally {
		for (const stream of shell.openedPipes) stream.close();
		shell.openedPipes = before;
	}
}

/** Status of programs whose output could not be written; all others end with 1. */
const WRITE_FAULTS: ReadonlyMap<string, number> = new Map([
	...['env', 'nice', 'nohup', 'stdbuf', 'timeout', 'chroot', 'runcon'].map((name): [string, number] => [name, 125]),
	...['grep', 'ls', 'dir', 'vdir', 'sort', 'printenv'].map((name): [string, number] => [name, 2]),
	['expr', 3],
	['sed', 4]
]);

const WRITE_FAULT_WORDS: ReadonlyMap<string, string> = new Map([
	['head', "error writing 'standard output'"],
	['sed', "couldn't flush stdout"],
	['yes', 'standard output']
]);

/** Prints a message, unless stderr cannot be written either. */
async function reportFault(call: Call, text: string): Promise<void> {
	try {
		await call.complain(text);
	} catch (error) {
		if (writeFault(call.shell, error) === null) throw error;
	}
}

/** Message for output that could not be written; null if the command ends for another reason. */
function writeFault(shell: Shell, error: unknown): string | null {
	if (error instanceof WriteFailed) return error.message;
	return error instanceof BrokenPipe && shell.traps.get('PIPE') === '' ? 'Broken pipe' : null;
}

function notFound(name: string): string {
	if (name.includes('/')) return `${name}: No such file or directory`;
	const instead = insteadOf(name);
	return `${name}: command not found${instead === null ? '' : `\n${instead}`}`;
}

/** @throws ShellError when the depth exceeds FUNCNEST */
function checkNesting(shell: Shell, name: string): void {
	const most = Number(shell.variables.get('FUNCNEST') ?? 0);
	const depth = shell.calls.filter(({ isFunction }) => isFunction).length;
	if (most > 0 && depth >= most)
		throw new ShellError(`${name}: maximum function nesting level exceeded (${most})`, 1, 'line');
}

async function callFunction(
	shell: Shell,
	found: Extract<Found, { kind: 'function' }>,
	name: string,
	args: string[]
): Promise<number> {
	if (shell.calls.length >= 1000)
		throw new ShellError(`${name}: maximum function nesting level exceeded (1000)`, 1, true);
	checkNesting(shell, name);
	const { positional, loopDepth, line } = shell;
	const { definition } = found;
	shell.positional = args;
	shell.loopDepth = 0;
	const kept = shell.shopt.has('extdebug') ? { args } : {};
	shell.calls.unshift({ name, source: definition.source ?? shell.source, line, isFunction: true, ...kept });
	shell.variables.enterScope();
	const showTraps = hideTraps(shell, shell.tracedFunctions.has(name) ? ['ERR'] : undefined);
	try {
		return await runFunctionBody(shell, definition);
	} finally {
		showTraps();
		shell.variables.leaveScope();
		const options = shell.calls.shift()?.options;
		if (options) restoreOptions(shell, options);
		shell.positional = positional;
		shell.loopDepth = loopDepth;
		shell.line = line;
	}
}

async function runFunctionBody(shell: Shell, { body }: FunctionDefinition): Promise<number> {
	const { line } = body;
	let status: number;
	try {
		shell.line = line;
		await runTrap(shell, 'DEBUG');
		status = await runCommand(shell, body);
	} catch (error) {
		if (!(error instanceof ReturnJump)) throw error;
		status = error.status;
	}
	shell.status = status;
	shell.line = line;
	await runTrap(shell, 'RETURN');
	return status;
}

/** Writes to stdout. @throws WriteFailed if it is closed or read-only */
function writeOut(shell: Shell, text: string): void | Promise<void> {
	if (text === '') return;
	try {
		return shell.descriptors.require(1).write(encode(text));
	} catch (error) {
		throw error instanceof BadDescriptor ? new WriteFailed('Bad file descriptor') : error;
	}
}

/** @param isBuiltIn whether it is a builtin, whose messages show the place in the script */
export async function callBuiltIn(
	shell: Shell,
	run: BuiltIn,
	name: string,
	args: string[],
	isBuiltIn = shell.host.builtins.has(name)
): Promise<number> {
	const call: Call = {
		shell,
		name,
		args,
		out: (text) => writeOut(shell, text),
		complain: (text) => {
			const place = isBuiltIn ? `${shell.nameInMessages}: line ${shell.line || 1}: ` : '';
			const isMisuse = /: (?:invalid option|option requires an argument)$/.test(text);
			const usage = isBuiltIn && isMisuse && name !== 'kill' ? usageOf(name) : '';
			return shell.descriptors.get(2)?.write(encode(`${place}${name}: ${text}\n${usage}`));
		}
	};
	const fault = isBuiltIn ? faultOfOptions(name, args) : null;
	if (fault !== null) {
		await call.complain(fault);
		return 2;
	}
	try {
		return await run(call);
	} catch (error) {
		const failure = writeFault(shell, error);
		if (failure !== null) {
			await reportFault(call, `${WRITE_FAULT_WORDS.get(name) ?? 'write error'}: ${failure}`);
			return WRITE_FAULTS.get(name) ?? 1;
		}
		if (error instanceof SyscallError || error instanceof BadDescriptor) {
			await call.complain(
				error instanceof SyscallError && error.path ? `${error.path}: ${reason(error)}` : reason(error)
			);
			return 1;
		}
		throw error;
	}
}

/** Runs a file of the volume: by its `#!` line as a process; text without one as a script in this shell. */
async function runFile(
	shell: Shell,
	found: Extract<Found, { kind: 'file' }>,
	name: string,
	args: string[],
	isLast: boolean
): Promise<number> {
	if (!found.executable) {
		complain(shell, `${name}: Permission denied`);
		return 126;
	}
	const { sync } = shell.host.context;
	const head = decode(sync.readFile(found.path, 0, 128));
	if (head.startsWith('#!') || head.startsWith('\0asm')) return runExternal(shell, [found.path, ...args], { isLast });
	const target = findCommand(shell, sync.realpath(found.path));
	// A link to one of the sandbox's programs: the program gets the name by which it was called.
	if (target.kind === 'program') return runExternal(shell, [target.path, ...args], { called: name, isLast });
	const text = decode(sync.readFile(found.path));
	return runSubshell(shell, async (inner) => {
		inner.forgetUnexported();
		inner.name = name;
		inner.positional = args;
		return evaluate(inner, text);
	});
}

/** Cache of parsed one-line sources, if no alias can change them. */
const known = new Map<string, Statement[]>();

/**
 * Runs source text in this shell, line by line. A syntax error is reported and gives 2.
 *
 * @param line number of the first line
 * @param origin origin of the text for syntax error messages: `eval`, `-c`
 */
export async function evaluate(shell: Shell, source: string, line = 1, origin = ''): Promise<number> {
	const dialect = new ShellDialect(shell);
	const key = dialect.aliases?.size || line !== 1 ? null : `${dialect.extglob}${source}`;
	const one = key === null ? undefined : known.get(key);
	if (one && !shell.options.verbose) return runLine(shell, one, { isWhole: origin === '-c' });
	const reader = new ScriptReader(source, dialect, line);
	for (let count = 0; ; count++) {
		const statements = nextLine(shell, reader, source, origin);
		if (shell.options.verbose) await shell.descriptors.get(2)?.write(encode(withLineEnd(reader.takeLines())));
		else reader.passLines();
		shell.endsPosix = typeof statements === 'number';
		if (typeof statements === 'number') return statements;
		if (!statements) {
			return count === 0 ? (shell.status = 0) : shell.status;
		}
		if (key !== null && count === 0 && !source.includes('\n')) {
			if (known.size > 500) known.clear();
			known.set(key, statements);
		}
		await runLine(shell, statements, { reader, isWhole: origin === '-c' && reader.hasEnded });
		shell.endsPosix = false;
	}
}

const withLineEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function warnOfDocuments(shell: Shell, reader: ScriptReader, source: string, origin: string): void {
	for (const [start, delimiter, end] of reader.unendedDocuments()) {
		shell.line = end ?? (source.endsWith('\n') ? reader.line - 1 : reader.line);
		shell.complain(`warning: here-document at line ${start} delimited by end-of-file (wanted \`${delimiter}')`, origin);
	}
}

function nextLine(shell: Shell, reader: ScriptReader, source: string, origin: string): Statement[] | number | null {
	try {
		const statements = reader.next();
		warnOfDocuments(shell, reader, source, origin);
		return statements;
	} catch (error) {
		if (!(error instanceof ShellSyntaxError)) throw error;
		warnOfDocuments(shell, reader, source, origin);
		shell.line = error.line || shell.line;
		for (const line of error.message.split('\n')) shell.complain(line, origin);
		if (error.text !== '') shell.complain(`\`${error.text}'`, origin);
		if (error.cost === 'test') return shell.status;
		if (error.cost === 'line') {
			reader.skipLine();
			shell.status = 1;
			return [];
		}
		shell.status = 2;
		if (error.cost === 'shell' && !shell.interactive) throw new ExitJump(shell.host.commandsFrom === 'c' ? 127 : 2);
		return 2;
	}
}

/** @param isWhole whether the shell ends with these statements */
async function runLine(
	shell: Shell,
	statements: readonly Statement[],
	{ reader, isWhole }: { reader?: ScriptReader; isWhole: boolean }
): Promise<number> {
	if (isWhole) shell.lastCommand = lastCommand(statements);
	try {
		return await runStatements(shell, statements);
	} catch (error) {
		if (!(error instanceof LineJump)) throw error;
		// As in bash, the lines after an aborted command are counted from the one that failed.
		if (reader && shell.host.commandsFrom === '' && shell.line > 0) reader.line = shell.line + 1;
		return (shell.status = error.status);
	}
}
