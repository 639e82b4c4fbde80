import type { CommandOf, Statement, Word } from '../ast/nodes.ts';
import { printWord } from '../ast/print.ts';
import { evaluateArithmetic } from '../expansion/arithmetic.ts';
import { globRegExp } from '../expansion/pattern.ts';
import { expandToPattern, expandToText, expandWords } from '../expansion/word.ts';
import { IndexFailed, LoopJump, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { runCondition, runStatements } from './script.ts';
import { SelectMenu } from './select-menu.ts';
import { trace } from './trace.ts';
import { runTrap } from './traps.ts';

export async function runIf(shell: Shell, command: CommandOf<'If'>): Promise<number> {
	for (const clause of command.clauses) {
		if (await runCondition(shell, clause.condition)) return runBody(shell, clause.body);
	}
	return command.elseBody ? runBody(shell, command.elseBody) : 0;
}

/** Runs a list that may be empty. `$?` in it is still that of the previous command. */
async function runBody(shell: Shell, body: readonly Statement[]): Promise<number> {
	return body.length === 0 ? 0 : runStatements(shell, body);
}

export async function runFor(shell: Shell, command: CommandOf<'For' | 'Select'>): Promise<number> {
	const { variable } = command;
	if (!/^[A-Za-z_]\w*$/.test(variable)) {
		shell.complain(`\`${variable}': not a valid identifier`);
		return 1;
	}
	const values = command.words ? await expandWords(shell, command.words) : shell.positional;
	const next = values[Symbol.iterator]();
	const head = `for ${variable} in ${(command.words ?? []).map(printWord).join(' ')}`;
	return loop(shell, command.body, async () => {
		const { done, value } = next.next();
		if (done) return false;
		shell.line = command.line;
		await beforeRound(shell, head);
		const raw = shell.variables.raw(variable);
		if (raw?.reference) raw.value = value;
		else shell.variables.set(variable, value);
		return true;
	});
}

/** @param traced text that `set -x` shows instead */
async function beforeRound(shell: Shell, text: string, traced = text): Promise<void> {
	if (!shell.inTrap) shell.command = text;
	if (shell.traps.has('DEBUG')) await runTrap(shell, 'DEBUG');
	if (shell.options.xtrace) await trace(shell, traced);
}

export async function runSelect(shell: Shell, command: CommandOf<'For' | 'Select'>): Promise<number> {
	const items = command.words ? await expandWords(shell, command.words) : shell.positional;
	if (items.length === 0) return 0;
	const menu = new SelectMenu(shell, command.variable, items);
	return loop(shell, command.body, () => menu.ask());
}

export async function runCStyleFor(shell: Shell, command: CommandOf<'CStyleFor'>): Promise<number> {
	const evaluate = async (word: Word): Promise<bigint> => {
		if (printWord(word).trim() === '') return 1n;
		shell.line = command.line;
		const text = printWord(word);
		await beforeRound(shell, `((${text.trim()}))`, `(( ${text.trimStart()} ))`);
		return evaluateArithmetic(shell, word);
	};
	try {
		await evaluate(command.init);
		let first = true;
		return await loop(shell, command.body, async () => {
			if (!first) await evaluate(command.update);
			first = false;
			return (await evaluate(command.condition)) !== 0n;
		});
	} catch (error) {
		if (!(error instanceof ShellError) || error.fatal === true || error instanceof IndexFailed) throw error;
		shell.complain(`((: ${error.message}`);
		return error.status;
	}
}

export async function runLoop(shell: Shell, command: CommandOf<'While' | 'Until'>): Promise<number> {
	const wanted = command.type === 'While';
	return loop(shell, command.body, async () => (await runCondition(shell, command.condition)) === wanted);
}

/** Runs `body` as long as `more` returns true. Returns the status of the last iteration, 0 if there was none. */
async function loop(shell: Shell, body: readonly Statement[], more: () => Promise<boolean>): Promise<number> {
	let status = 0;
	shell.loopDepth++;
	try {
		for (;;) {
			await shell.control.yieldIfDue();
			try {
				if (!(await more())) return status;
				status = await runStatements(shell, body);
			} catch (error) {
				if (!(error instanceof LoopJump)) throw error;
				status = error.status;
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
	const head = `case ${printWord(command.word)} in`;
	await beforeRound(shell, `${head} `, head);
	const text = await expandToText(shell, command.word);
	const options = { ignoreCase: shell.shopt.has('nocasematch'), isPlain: !shell.shopt.has('extglob') };
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
