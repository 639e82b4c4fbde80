import type { CommandOf, Statement } from '../ast/nodes.ts';
import { evaluateArithmetic } from '../expansion/arithmetic.ts';
import { globRegExp } from '../expansion/pattern.ts';
import { expandToPattern, expandToText, expandWords } from '../expansion/word.ts';
import { LoopJump } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { runCondition, runStatements } from './script.ts';

export async function runIf(shell: Shell, command: CommandOf<'If'>): Promise<number> {
	for (const clause of command.clauses) {
		if (await runCondition(shell, clause.condition)) return runBody(shell, clause.body);
	}
	return command.elseBody ? runBody(shell, command.elseBody) : 0;
}

async function runBody(shell: Shell, body: readonly Statement[]): Promise<number> {
	shell.status = 0;
	return runStatements(shell, body);
}

export async function runFor(shell: Shell, command: CommandOf<'For'>): Promise<number> {
	const values = command.words ? await expandWords(shell, command.words) : shell.positional;
	const next = values[Symbol.iterator]();
	return loop(shell, command.body, async () => {
		const { done, value } = next.next();
		if (!done) shell.variables.set(command.variable, value);
		return !done;
	});
}

export async function runCStyleFor(shell: Shell, command: CommandOf<'CStyleFor'>): Promise<number> {
	if (command.init) await evaluateArithmetic(shell, command.init);
	let first = true;
	return loop(shell, command.body, async () => {
		if (!first && command.update) await evaluateArithmetic(shell, command.update);
		first = false;
		return !command.condition || (await evaluateArithmetic(shell, command.condition)) !== 0n;
	});
}

export async function runLoop(shell: Shell, command: CommandOf<'While'> | CommandOf<'Until'>): Promise<number> {
	const wanted = command.type === 'While';
	return loop(shell, command.body, async () => (await runCondition(shell, command.condition)) === wanted);
}

/** Runs `body` as long as `more` says so. Returns the status of the last round, 0 for none. */
async function loop(shell: Shell, body: readonly Statement[], more: () => Promise<boolean>): Promise<number> {
	let status = 0;
	shell.loopDepth++;
	try {
		for (;;) {
			await shell.control.breathe();
			try {
				if (!(await more())) return status;
				status = await runStatements(shell, body);
			} catch (error) {
				if (!(error instanceof LoopJump)) throw error;
				status = 0;
				if (error.levels > 1 && shell.loopDepth > 1) {
					error.levels--;
					throw error;
				}
				if (error.kind === 'break') return status;
			}
		}
	} finally {
		shell.loopDepth--;
	}
}

export async function runCase(shell: Shell, command: CommandOf<'Case'>): Promise<number> {
	const text = await expandToText(shell, command.word);
	const options = { ignoreCase: shell.shopt.has('nocasematch') };
	let status = 0;
	let fallsThrough = false;
	for (const item of command.items) {
		let matches = fallsThrough;
		for (const pattern of matches ? [] : item.patterns) {
			matches ||= globRegExp(await expandToPattern(shell, pattern), options).test(text);
		}
		if (!matches) continue;
		status = await runBody(shell, item.body);
		if (item.terminator === ';;') return status;
		fallsThrough = item.terminator === ';&';
	}
	return status;
}
