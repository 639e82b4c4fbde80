import { historyLimit, readHistoryFile, saveHistory } from '../builtins/history.ts';
import { evaluate } from '../execution/run-words.ts';
import { runPendingTraps } from '../execution/traps.ts';
import { ShellDialect } from '../execution/shell-dialect.ts';
import { runToEnd } from '../execution/subshell.ts';
import { expandPrompt } from '../expansion/prompt.ts';
import { ShellSyntaxError } from '../parser/error.ts';
import { parse } from '../parser/parse.ts';
import { ExitJump, LineJump, LoopJump, ReturnJump, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { elements, ReadonlyVariable } from '../state/variables.ts';
import { decode, encode } from '#computer/process/text.ts';

const LINE_END = 10;
/** Line that ends in a line continuation. */
const JOINED_END = /(?:^|[^\\])(?:\\\\)*\\\n$/;
/** Number of attempts to parse an incomplete command while its number of lines doubles. */
const LOOKS = 16;

/** Sets up an interactive shell without a user. Returns a status if its start file ends it. */
export async function prepareInteractive(shell: Shell, startFile: string | null): Promise<number | null> {
	shell.interactive = shell.host.isInteractive = true;
	shell.shopt.add('expand_aliases');
	shell.options.history = true;
	shell.options.histexpand = true;
	shell.options.emacs = true;
	// A signal without a trap does not end an interactive shell, except for a hangup.
	for (const signal of ['SIGTERM', 'SIGQUIT'] as const) shell.host.context.sync.catchSignal(signal, true);
	const { variables } = shell;
	if (!variables.find('HISTFILE')) variables.set('HISTFILE', `${variables.get('HOME') ?? ''}/.bash_history`);
	if (!variables.find('HISTSIZE')) variables.set('HISTSIZE', '500');
	if (!variables.find('HISTFILESIZE')) variables.set('HISTFILESIZE', '500');
	if (!variables.find('PS1')) variables.set('PS1', '\\s-\\v\\$ ');
	if (!variables.find('PS2')) variables.set('PS2', '> ');
	const { history } = shell.host;
	for (const line of readHistoryFile(shell) ?? []) history.add(line, historyLimit(shell));
	history.known = history.entries.length;
	history.fresh = 0;
	if (startFile === null) return null;
	const path = shell.path(startFile);
	const { sync } = shell.host.context;
	if (sync.statOrNull(path)?.kind !== 'file') return null;
	const name = shell.name;
	shell.name = startFile;
	try {
		await evaluate(shell, decode(sync.readFile(path)));
	} catch (error) {
		if (error instanceof ExitJump) return error.status;
		throw error;
	} finally {
		shell.name = name;
	}
	return null;
}

/**
 * Runs an interactive shell whose input is not a terminal: the prompt goes to stderr, and commands are added to the
 * history.
 */
export async function runPiped(shell: Shell): Promise<number> {
	return runToEnd(shell, async () => {
		const status = await runCommands(shell);
		saveHistory(shell);
		return status;
	});
}

async function runCommands(shell: Shell): Promise<number> {
	const input = shell.descriptors.require(0);
	for (;;) {
		await promptCommands(shell);
		await write(shell, await expandPrompt(shell, shell.variables.get('PS1') ?? ''));
		let source = '';
		for (;;) {
			const bytes = await shell.control.race(input.readUntil(10));
			if (bytes === null) {
				if (source !== '') await run(shell, source);
				await write(shell, 'exit\n');
				return shell.status;
			}
			source += decode(bytes);
			if (!isIncomplete(shell, source)) break;
			await write(shell, shell.variables.get('PS2') ?? '> ');
		}
		if (source.trim() === '') continue;
		if (shell.options.history) shell.host.history.add(source.replace(/\n$/, ''), historyLimit(shell));
		try {
			await run(shell, source);
		} catch (error) {
			if (error instanceof ExitJump) {
				saveHistory(shell);
				await write(shell, 'exit\n');
			}
			throw error;
		}
	}
}

async function promptCommands(shell: Shell): Promise<void> {
	const { status } = shell;
	for (const [, command] of elements(shell.variables.find('PROMPT_COMMAND'))) {
		await run(shell, command);
		shell.status = status;
	}
}

async function run(shell: Shell, source: string): Promise<void> {
	try {
		shell.status = await evaluate(shell, source);
	} catch (error) {
		if (error instanceof ShellError || error instanceof ReadonlyVariable) {
			shell.complain(error.message);
			shell.status = 1;
		} else if (!(error instanceof LineJump) && !(error instanceof LoopJump) && !(error instanceof ReturnJump))
			throw error;
	}
}

/**
 * Runs the commands of standard input, reading no further than they extend: the commands themselves read the rest.
 * Returns the status of the last.
 */
export async function runInput(shell: Shell): Promise<number> {
	let [source, first, count, wanted] = ['', 1, 0, 1];
	for (;;) {
		// `exec < file` changes the source of commands.
		const input = shell.descriptors.get(0);
		const bytes = input ? await shell.control.race(input.readUntil(LINE_END)) : null;
		if (bytes !== null) source += decode(bytes);
		count++;
		// Incomplete text is parsed again only after several more lines, so that a long function is cheap.
		if (bytes !== null && count < wanted) continue;
		if (bytes !== null && isIncomplete(shell, source)) {
			wanted = count + Math.max(1, Math.floor(count / LOOKS));
			continue;
		}
		if (source !== '') {
			const before = shell.status;
			const status = await evaluate(shell, source, first);
			if (shell.endsPosix) return status;
			// Lines without a command keep the status of the last one.
			if (isBlank(source)) shell.status = before;
		}
		if (bytes === null) break;
		first += count;
		[source, count, wanted] = ['', 0, 1];
	}
	await runPendingTraps(shell);
	return shell.status;
}

/** Returns whether a text consists only of blanks and comments. */
const isBlank = (source: string): boolean => source.split('\n').every((line) => /^[ \t]*(?:#|$)/.test(line));

/** Returns whether further lines could complete a text, with the current aliases. */
function isIncomplete(shell: Shell, source: string): boolean {
	try {
		parse(source, new ShellDialect(shell));
		return false;
	} catch (error) {
		if (error instanceof ShellSyntaxError) return error.incomplete || JOINED_END.test(source);
		throw error;
	}
}

const write = async (shell: Shell, text: string) => shell.descriptors.get(2)?.write(encode(text));
