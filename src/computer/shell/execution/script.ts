import type { Pipeline, Script, Statement } from '../ast/nodes.ts';
import { ExitJump, LineJump, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable } from '../state/variables.ts';
import { startJob } from './background.ts';
import { runPipeline } from './pipeline.ts';
import { runPendingTraps, runTrap } from './traps.ts';

/** Runs statements in sequence. Returns the status of the last. */
export async function runScript(shell: Shell, script: Script): Promise<number> {
	return runStatements(shell, script.statements);
}

export async function runStatements(shell: Shell, statements: readonly Statement[]): Promise<number> {
	for (const statement of statements) await runStatement(shell, statement);
	return shell.status;
}

async function runStatement(shell: Shell, statement: Statement): Promise<void> {
	await shell.control.yieldIfDue();
	await runPendingTraps(shell);
	if (shell.options.noexec) return;
	shell.statement = statement.sourceText;
	try {
		if (statement.background) {
			await startJob(shell, statement);
			shell.status = 0;
		} else await runAndOr(shell, statement);
	} catch (error) {
		failStatement(shell, error);
	}
}

/** A failed expansion ends the statement, and a shell that is not interactive. */
function failStatement(shell: Shell, error: unknown): void {
	if (!(error instanceof ShellError) && !(error instanceof ReadonlyVariable)) throw error;
	complain(shell, error.message);
	shell.status = error instanceof ShellError ? error.status : 1;
	const fatal = error instanceof ShellError ? error.fatal : 'line';
	if (fatal === true && !shell.interactive) throw new ExitJump(shell.status);
	if (shell.options.posix && fatal === 'line' && !shell.interactive) throw new ExitJump(shell.statusOfFatal);
	if (shell.options.errexit && shell.conditionDepth === 0) throw new ExitJump(shell.status);
	if (fatal) throw new LineJump(shell.status);
}

/** Runs `a && b || c`. Only the last pipeline counts for `set -e`. */
export async function runAndOr(shell: Shell, statement: Statement): Promise<number> {
	let skipped = false;
	for (const [index, pipeline] of statement.pipelines.entries()) {
		const operator = index === 0 ? ';' : statement.operators[index - 1];
		skipped = (operator === '&&' && shell.status !== 0) || (operator === '||' && shell.status === 0);
		if (skipped) continue;
		const last = index === statement.pipelines.length - 1;
		// `!` checks errexit before the command that may turn it on.
		const isCondition = !last || (pipeline.negated && shell.options.errexit);
		shell.redirectionFailed = false;
		if (isCondition) shell.conditionDepth++;
		try {
			shell.status = await runPipeline(shell, pipeline);
		} finally {
			if (isCondition) shell.conditionDepth--;
		}
		const counts = last && shell.status !== 0 && !pipeline.negated && shell.conditionDepth === 0;
		if (counts && (shell.redirectionFailed || failsItself(pipeline))) await failed(shell);
		shell.redirectionFailed = false;
	}
	return shell.status;
}

/**
 * Returns whether a failure is the command's own: in a group or loop, the failing command inside was checked already.
 */
function failsItself({ commands }: Pipeline): boolean {
	const [only] = commands;
	if (commands.length !== 1 || !only) return true;
	return ['SimpleCommand', 'Subshell', 'ArithmeticCommand', 'ConditionalCommand'].includes(only.type);
}

async function failed(shell: Shell): Promise<void> {
	await runTrap(shell, 'ERR');
	if (shell.options.errexit) throw new ExitJump(shell.status);
}

/** Runs a condition, in which a failure does not end the shell. */
export async function runCondition(shell: Shell, statements: readonly Statement[]): Promise<boolean> {
	shell.conditionDepth++;
	try {
		return (await runStatements(shell, statements)) === 0;
	} finally {
		shell.conditionDepth--;
	}
}

/** Writes a message of the shell itself on its stderr. */
export function complain(shell: Shell, message: string): void {
	shell.complain(message);
}
