import type { Command, Redirection } from '../ast/nodes.ts';
import { rememberSource } from '../ast/written/function.ts';
import { evaluateArithmetic } from '../expansion/arithmetic.ts';
import type { Shell } from '../state/shell.ts';
import { runCase, runCStyleFor, runFor, runIf, runLoop } from './compound.ts';
import { evaluateConditional } from './conditional.ts';
import { redirect } from './redirections.ts';
import { complain, runStatements } from './script.ts';
import { runSimpleCommand } from './simple-command.ts';
import { runSubshell } from './subshell.ts';

/** Runs one command of any kind. */
export async function runCommand(shell: Shell, command: Command): Promise<number> {
	if (command.line) shell.line = command.line;
	if (command.type === 'SimpleCommand') return runSimpleCommand(shell, command);
	if (command.type === 'FunctionDef') {
		if (shell.readonlyFunctions.has(command.name)) {
			complain(shell, `${command.name}: readonly function`);
			return 1;
		}
		rememberSource(command, shell.statement);
		shell.functions.set(command.name, command);
		return 0;
	}
	return withRedirections(shell, command.redirections, () => runCompound(shell, command));
}

async function runCompound(
	shell: Shell,
	command: Exclude<Command, { type: 'SimpleCommand' | 'FunctionDef' }>
): Promise<number> {
	switch (command.type) {
		case 'If':
			return runIf(shell, command);
		case 'For':
			return runFor(shell, command);
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
			return (await evaluateArithmetic(shell, command.expression)) === 0n ? 1 : 0;
		case 'ConditionalCommand':
			return (await evaluateConditional(shell, command.expression)) ? 0 : 1;
	}
}

/** Runs `body` with its redirections in force; a redirection that fails gives 1 without running it. */
export async function withRedirections(
	shell: Shell,
	redirections: readonly Redirection[],
	body: () => Promise<number>
): Promise<number> {
	if (redirections.length === 0) return body();
	const before = shell.descriptors;
	shell.descriptors = before.fork();
	try {
		if (!(await redirect(shell, redirections))) return 1;
		return await body();
	} finally {
		shell.descriptors.dispose();
		shell.descriptors = before;
	}
}
