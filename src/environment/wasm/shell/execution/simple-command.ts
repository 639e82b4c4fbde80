import type { SimpleCommand, Word } from '../ast/nodes.ts';
import { parse } from '../ast/parse.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import { quoteWord } from '../expansion/quote.ts';
import type { Shell } from '../state/shell.ts';
import { encode } from '../streams/text.ts';
import { declareWithArrays, DECLARATIONS } from '../builtins/declare.ts';
import { assign } from './assignments.ts';
import { withRedirections } from './command.ts';
import { runWords } from './run-words.ts';
import { redirect } from './redirections.ts';

/** Runs `A=1 command args >file`. */
export async function runSimpleCommand(shell: Shell, command: SimpleCommand): Promise<number> {
	const aliased = expandAlias(shell, command);
	if (aliased) command = aliased;
	shell.substitutionStatus = null;
	const leftover = shell.afterCommand;
	shell.afterCommand = [];
	try {
		return await expandAndRun(shell, command);
	} finally {
		const after = shell.afterCommand;
		shell.afterCommand = leftover;
		for (const step of after) await step();
	}
}

async function expandAndRun(shell: Shell, command: SimpleCommand): Promise<number> {
	const name = literalName(command.name);
	if (name !== null && DECLARATIONS.has(name) && !shell.functions.has(name)) {
		return withRedirections(shell, command.redirections, () => declareWithArrays(shell, name, command.args));
	}
	const words = command.name ? await expandWords(shell, [command.name, ...command.args]) : [];
	if (words.length === 0) return assignOnly(shell, command);
	if (shell.options.xtrace) trace(shell, words.map((word) => quoteWord(word)).join(' '));
	shell.command = words.join(' ');
	if (words[0] === 'exec' && words.length === 1) return (await redirect(shell, command.redirections)) ? 0 : 1;
	const run = () => withRedirections(shell, command.redirections, () => runWords(shell, words));
	if (command.assignments.length === 0) return run();
	const values: [string, string][] = [];
	for (const assignment of command.assignments) {
		values.push([assignment.name, assignment.value ? await expandToText(shell, assignment.value) : '']);
	}
	const restore = shell.variables.override(values);
	try {
		return await run();
	} finally {
		restore();
	}
}

async function assignOnly(shell: Shell, command: SimpleCommand): Promise<number> {
	for (const assignment of command.assignments) {
		await assign(shell, assignment);
		if (shell.options.xtrace)
			trace(shell, `${assignment.name}=${quoteWord(shell.variables.get(assignment.name) ?? '')}`);
	}
	const status = shell.substitutionStatus ?? 0;
	if (command.redirections.length === 0) return status;
	return withRedirections(shell, command.redirections, async () => status);
}

function trace(shell: Shell, text: string): void {
	const prefix = shell.variables.get('PS4') ?? '+ ';
	const written = shell.descriptors.get(2)?.write(encode(`${prefix}${text}\n`));
	if (written) written.catch(() => undefined);
}

function literalName(word: Word | null): string | null {
	const [part] = word?.parts ?? [];
	return word?.parts.length === 1 && part?.type === 'Literal' ? part.value : null;
}

/** An alias put in place of the command's first word. */
function expandAlias(shell: Shell, command: SimpleCommand, seen = new Set<string>()): SimpleCommand | null {
	if (shell.aliases.size === 0 || (!shell.interactive && !shell.shopt.has('expand_aliases'))) return null;
	const name = literalName(command.name);
	const text = name === null || seen.has(name) ? undefined : shell.aliases.get(name);
	if (name === null || text === undefined) return null;
	const inner = parse(text).statements[0]?.pipelines[0]?.commands[0];
	if (inner?.type !== 'SimpleCommand' || !inner.name) return null;
	const expanded: SimpleCommand = {
		...command,
		assignments: [...inner.assignments, ...command.assignments],
		name: inner.name,
		args: [...inner.args, ...command.args],
		redirections: [...inner.redirections, ...command.redirections]
	};
	return expandAlias(shell, expanded, seen.add(name)) ?? expanded;
}
