import type { Command, CommandOf, CompoundCommand, Redirection } from '../ast/nodes.ts';
import { printCommand, printWord } from '../ast/print.ts';
import { evaluateArithmetic } from '../expansion/arithmetic.ts';
import { ExitJump, IndexFailed, ShellError } from '../state/control.ts';
import { SPECIAL_BUILTINS } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import type { Descriptors } from '../streams/descriptors.ts';
import type { OpenFile } from '../streams/open-file.ts';
import { runCase, runCStyleFor, runFor, runIf, runLoop, runSelect } from './compound.ts';
import { runCoprocess } from './coprocess.ts';
import { evaluateConditional, InvalidRegExp } from './conditional.ts';
import { redirect } from './redirections.ts';
import { complain, runStatements } from './script.ts';
import { runSimpleCommand } from './simple-command.ts';
import { runSubshell } from './subshell.ts';
import { trace } from './trace.ts';
import { runTrap } from './traps.ts';

/** Commands whose line is that of the commands inside them. */
const KEEPS_LINE: ReadonlySet<Command['type']> = new Set(['Group', 'If', 'While', 'Until']);

/** Runs one command of any kind. */
export async function runCommand(shell: Shell, command: Command): Promise<number> {
	if (command.line && !KEEPS_LINE.has(command.type)) shell.line = command.line;
	if (command.type === 'SimpleCommand') return runSimpleCommand(shell, command);
	if (command.type === 'FunctionDef') {
		if (/[$`'"\\<>]/.test(command.name)) {
			complain(shell, `\`${command.name}': not a valid identifier`);
			return 1;
		}
		if (shell.options.posix && !/^[A-Za-z_]\w*$/.test(command.name) && !shell.interactive) {
			complain(shell, `\`${command.name}': not a valid identifier`);
			throw new ExitJump(2);
		}
		if (shell.options.posix && SPECIAL_BUILTINS.has(command.name) && !shell.interactive) {
			complain(shell, `\`${command.name}': is a special builtin`);
			throw new ExitJump(2);
		}
		shell.line = command.lastLine;
		if (shell.readonlyFunctions.has(command.name)) {
			complain(shell, `${command.name}: readonly function`);
			return 1;
		}
		shell.functions.set(command.name, { ...command, source: shell.source });
		return 0;
	}
	if (command.redirections.length === 0) return runCompound(shell, command);
	const leftover = shell.afterCommand;
	shell.afterCommand = [];
	try {
		return await withRedirections(shell, command.redirections, () => runWithInput(shell, command));
	} finally {
		const after = shell.afterCommand;
		shell.afterCommand = leftover;
		for (const step of after) await step();
	}
}

/** Runs a compound command after its redirections have been applied. */
async function runWithInput(shell: Shell, command: CompoundCommand): Promise<number> {
	const { hasOwnInput } = shell;
	shell.hasOwnInput ||= command.redirections.some(({ operator, fd }) => operator.startsWith('<') && (fd ?? 0) === 0);
	try {
		return await runCompound(shell, command);
	} finally {
		shell.hasOwnInput = hasOwnInput;
	}
}

async function runCompound(shell: Shell, command: CompoundCommand): Promise<number> {
	switch (command.type) {
		case 'If':
			return runIf(shell, command);
		case 'For':
			return runFor(shell, command);
		case 'Select':
			return runSelect(shell, command);
		case 'Coprocess':
			return runCoprocess(shell, command);
		case 'CStyleFor':
			return runCStyleFor(shell, command);
		case 'While':
		case 'Until':
			return runLoop(shell, command);
		case 'Case':
			return runCase(shell, command);
		case 'Group':
			return runStatements(shell, command.body);
		case 'Subshell':
			return runSubshell(shell, (inner) => runStatements(inner, command.body));
		case 'ArithmeticCommand':
			return runArithmetic(shell, command);
		case 'ConditionalCommand':
			return runConditional(shell, command);
	}
}

async function runArithmetic(shell: Shell, command: CommandOf<'ArithmeticCommand'>): Promise<number> {
	await beforeTest(shell, `((${printWord(command.expression)}))`);
	try {
		return (await evaluateArithmetic(shell, command.expression)) === 0n ? 1 : 0;
	} catch (error) {
		return withoutJump(shell, error, '((');
	}
}

async function runConditional(shell: Shell, command: CommandOf<'ConditionalCommand'>): Promise<number> {
	await beforeTest(shell, printCommand({ ...command, redirections: [] }));
	try {
		return (await evaluateConditional(shell, command.expression)) ? 0 : 1;
	} catch (error) {
		if (error instanceof InvalidRegExp) return 2;
		return withoutJump(shell, error, '[[');
	}
}

async function beforeTest(shell: Shell, text: string): Promise<void> {
	if (!shell.inTrap) shell.command = text;
	if (shell.traps.has('DEBUG')) await runTrap(shell, 'DEBUG');
	if (shell.options.xtrace) await trace(shell, text);
}

/** An invalid expression fails only the test that contains it. */
function withoutJump(shell: Shell, error: unknown, name: string): number {
	if (!(error instanceof ShellError) || error.fatal === true || error instanceof IndexFailed) throw error;
	shell.complain(`${name}: ${error.message}`);
	return error.status;
}

/** Keeps `{name}>file` open after the command. */
function keepNumbered(shell: Shell, before: Descriptors, redirections: readonly Redirection[]): void {
	if (shell.shopt.has('varredir_close')) return;
	for (const { fdVariable } of redirections) {
		const number = fdVariable === null ? NaN : Number(shell.variables.get(fdVariable));
		const file = shell.descriptors.get(number);
		if (file && !before.get(number)) before.set(number, file.retain());
	}
}

/**
 * Applies the redirections of a program, which its process would perform: an expansion that fails only ends that
 * process.
 */
async function redirectChild(shell: Shell, redirections: readonly Redirection[]): Promise<number> {
	try {
		return (await redirect(shell, redirections)) ? 0 : 1;
	} catch (error) {
		if (!(error instanceof ShellError)) throw error;
		shell.complain(error.message);
		return error.status;
	}
}

/** Runs `body` with its redirections applied; if one fails, returns 1 without running it. */
export async function withRedirections(
	shell: Shell,
	redirections: readonly Redirection[],
	body: () => Promise<number>,
	isProgram = false
): Promise<number> {
	if (redirections.length === 0) return body();
	const before = shell.descriptors;
	shell.descriptors = before.fork();
	let redirected: ReadonlyMap<number, OpenFile> | null = null;
	try {
		const failed = isProgram
			? await redirectChild(shell, redirections)
			: Number(!(await redirect(shell, redirections)));
		if (failed > 0) {
			shell.redirectionFailed = true;
			return failed;
		}
		redirected = shell.descriptors.entries();
		const status = await body();
		keepNumbered(shell, before, redirections);
		return status;
	} finally {
		if (redirected) before.adopt(shell.descriptors, redirected);
		shell.descriptors.dispose();
		shell.descriptors = before;
	}
}
