import { arrayReference, quoteSubscript } from '../parser/subscript.ts';
import type { Assignment, Part, SimpleCommand, Word } from '../ast/nodes.ts';
import { printCommand, printWord } from '../ast/print.ts';
import { DECLARATIONS, prepareDeclaration } from '../builtins/declare.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { isElement, isExpandedOnce } from '../expansion/subscripts.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import { quoteWord } from '../expansion/quote.ts';
import { SPECIAL_BUILTINS } from '../state/options.ts';
import { ExitJump, LineJump } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable } from '../state/variables.ts';
import { assign } from './assignments.ts';
import { withRedirections } from './command.ts';
import { builtinNamed } from './lookup.ts';
import { hasNoTraps } from './replacement.ts';
import { runWords } from './run-words.ts';
import { redirect } from './redirections.ts';
import { trace } from './trace.ts';
import { runTrap } from './traps.ts';

/** Runs a simple command: `A=1 command args >file`. */
export async function runSimpleCommand(shell: Shell, command: SimpleCommand): Promise<number> {
	if (!shell.inTrap) shell.command = printCommand(command);
	if (shell.traps.has('DEBUG') && (await runTrap(shell, 'DEBUG')) !== 0 && shell.shopt.has('extdebug')) return 0;
	shell.substitutionStatus = null;
	const leftover = shell.afterCommand;
	shell.afterCommand = [];
	try {
		return await expandAndRun(shell, shell.options.keyword ? withKeywords(command) : command);
	} finally {
		const after = shell.afterCommand;
		shell.afterCommand = leftover;
		for (const step of after) await step();
	}
}

/** Returns whether it is `exec` without a command, whose redirections are permanent, also as `command exec`. */
function isBareExec(shell: Shell, words: readonly string[]): boolean {
	const isPrefix = (word: string) => (word === 'command' || word === 'builtin') && !shell.functions.has(word);
	const [name, ...rest] = words.slice(words.findIndex((word) => !isPrefix(word)));
	return name === 'exec' && rest.every((word) => word === '--') && rest.length < 2;
}

/** Runs `exec` without a command: its redirections are permanent, and in POSIX mode its assignments. */
async function runBareExec(shell: Shell, command: SimpleCommand, name: string): Promise<number> {
	const values = await temporaryValues(shell, name, command.assignments);
	if (!(await redirect(shell, command.redirections))) return failSpecial(shell, name, 1);
	if (shell.options.posix) for (const [variable, value] of values) shell.variables.set(variable, value);
	return 0;
}

/** `set -k`: assignments among the arguments are variables of the command too. */
function withKeywords(command: SimpleCommand): SimpleCommand {
	const assignments = [...command.assignments];
	const args: Word[] = [];
	for (const word of command.args) {
		const [first, ...rest] = word.parts;
		const found = first?.type === 'Literal' ? /^([A-Za-z_]\w*)(\+?)=(.*)$/s.exec(first.value) : null;
		if (!found) {
			args.push(word);
			continue;
		}
		const [, name = '', plus, value = ''] = found;
		const parts: Part[] = [...(value === '' ? [] : [{ type: 'Literal' as const, value }]), ...rest];
		assignments.push({ name, subscript: null, append: plus === '+', value: { type: 'Word', parts }, array: null });
	}
	return { ...command, args, assignments };
}

async function expandAndRun(shell: Shell, command: SimpleCommand): Promise<number> {
	const declaration = declarationOf(shell, command);
	if (declaration) return runDeclaration(shell, command, declaration);
	const words = await expandCommand(shell, command);
	if (words.length === 0) return assignOnly(shell, command);
	const [name = ''] = words;
	if (isBareExec(shell, words)) return runBareExec(shell, command, name);
	const traced = () => words.map((word) => quoteWord(word)).join(' ');
	const status = await withAssignments(shell, name, command, traced, () => {
		shell.isThrough = shell.lastCommand === command && hasNoTraps(shell);
		return runWords(shell, words);
	});
	return shell.redirectionFailed ? failSpecial(shell, name, status) : status;
}

/** Builtins that accept names of elements: only after the given option, or anywhere. */
const TAKE_NAMES: ReadonlyMap<string, string | null> = new Map([
	['unset', null],
	['read', null],
	['printf', '-v'],
	['test', '-v'],
	['[', '-v'],
	['wait', '-p']
]);

/**
 * Expands name and arguments. In names of elements, subscripts are protected so that they are not expanded more often
 * than in bash.
 */
async function expandCommand(shell: Shell, { name, args }: SimpleCommand): Promise<string[]> {
	if (!name) return [];
	const command = literalText(name) ?? '';
	const option = TAKE_NAMES.get(command);
	const expandsOnce = shell.shopt.has('assoc_expand_once');
	if (option === undefined || (command !== 'unset' && !expandsOnce)) return expandWords(shell, [name, ...args]);
	const words = [command];
	for (const [index, word] of args.entries()) {
		const expanded = await expandWords(shell, [word]);
		const before = args[index - 1];
		const isName = option === null || (before && literalText(before) === option);
		const isTest = command === 'test' || command === '[';
		const isOneWord = expanded.length === 1 && isElement(word) && !isTest;
		const keeps = (text: string) => isName && (!isTest || arrayReference(text) !== null);
		words.push(...expanded.map((text) => (keeps(text) ? withKeptKey(shell, text, isOneWord) : text)));
	}
	return words;
}

/** Quotes the key in `name[key]` if it must not be expanded again. */
function withKeptKey(shell: Shell, text: string, isOneWord: boolean): string {
	const found = /^(\w+)\[(.*)\]$/s.exec(text);
	if (!found) return text;
	const [, name = '', key = ''] = found;
	const isKey = isOneWord || (isExpandedOnce(shell, name) && !key.includes(']'));
	return isKey ? `${name}[${quoteSubscript(key)}]` : text;
}

/** Ends a shell in POSIX mode if a special builtin failed. Otherwise returns the status. */
function failSpecial(shell: Shell, name: string, status: number): number {
	if (!shell.options.posix || shell.interactive || !SPECIAL_BUILTINS.has(name)) return status;
	throw new ExitJump(status);
}

/** Name of the declaration builtin; null for any other command. */
function declarationOf(shell: Shell, { name }: SimpleCommand): string | null {
	const text = name ? literalText(name) : null;
	return text !== null && DECLARATIONS.has(text) && !shell.functions.has(text) ? text : null;
}

async function runDeclaration(shell: Shell, command: SimpleCommand, name: string): Promise<number> {
	const { declare, lastWord } = await prepareDeclaration(shell, name, command.args);
	shell.variables.set('_', lastWord);
	const traced = () => [name, ...command.args.map(printWord)].join(' ');
	shell.endsPosix = false;
	const status = await withAssignments(shell, name, command, traced, declare);
	return shell.redirectionFailed || shell.endsPosix ? failSpecial(shell, name, status) : status;
}

/** Value of an assignment before a command; `+=` adds numbers if the variable is an integer. */
async function appended(shell: Shell, name: string, text: string, append: boolean): Promise<string> {
	if (!append) return text;
	const before = shell.variables.get(name) ?? '';
	if (shell.variables.find(name)?.integer !== true) return before + text;
	return String((await evaluateText(shell, before)) + (await evaluateText(shell, text)));
}

/** Runs a command with its own variables, which its redirections do not see. */
async function withAssignments(
	shell: Shell,
	command: string,
	{ assignments, redirections }: SimpleCommand,
	traced: () => string,
	run: () => Promise<number>
): Promise<number> {
	const isProgram = !shell.functions.has(command) && !builtinNamed(shell, command);
	const values = assignments.length > 0 ? await temporaryValues(shell, command, assignments) : [];
	// Written to the stderr outside of the command.
	if (shell.options.xtrace) await trace(shell, traced());
	if (assignments.length === 0) return withRedirections(shell, redirections, run, isProgram);
	return withRedirections(
		shell,
		redirections,
		async () => {
			const restore = shell.variables.override(values);
			try {
				return await run();
			} finally {
				const lasts = shell.options.posix && SPECIAL_BUILTINS.has(command);
				const left = lasts ? assignments.filter(({ name }) => shell.variables.raw(name)?.temporary) : [];
				const kept = left.map(({ name }) => [name, shell.variables.get(name) ?? ''] as const);
				restore();
				for (const [name, value] of kept) shell.variables.keep(name, value);
			}
		},
		isProgram
	);
}

/** Values of the assignments before a command, each of which sees the previous ones. @throws ExitJump, LineJump */
async function temporaryValues(
	shell: Shell,
	command: string,
	assignments: readonly Assignment[]
): Promise<[string, string][]> {
	const values: [string, string][] = [];
	const restores: (() => void)[] = [];
	try {
		for (const assignment of assignments) {
			const { name, subscript, append, value, array } = assignment;
			if (subscript !== null) {
				shell.complain(`\`${name}[${subscript}]': not a valid identifier`);
				continue;
			}
			const written = array ? printAssignment(assignment).slice(name.length + 1) : '';
			const text = value ? await expandToText(shell, value) : written;
			try {
				const entry: [string, string] = [name, await appended(shell, name, text, append)];
				restores.unshift(shell.variables.override([entry]));
				values.push(entry);
			} catch (error) {
				if (!(error instanceof ReadonlyVariable)) throw error;
				shell.complain(error.message);
				const isWhole = shell.host.commandsFrom === 'c' && shell.subshellDepth === 0;
				if (!shell.options.posix) continue;
				failSpecial(shell, command, isWhole ? 127 : 1);
				throw new LineJump(1);
			}
			if (shell.options.xtrace) await trace(shell, `${name}=${quoteWord(text)}`);
		}
	} finally {
		for (const restore of restores) restore();
	}
	return values;
}

async function assignOnly(shell: Shell, command: SimpleCommand): Promise<number> {
	const work = async () => {
		for (const assignment of command.assignments) {
			const { name, append } = assignment;
			const before = append ? (shell.variables.get(name) ?? '') : '';
			await assign(shell, assignment);
			if (!shell.options.xtrace) continue;
			const value = (shell.variables.get(name) ?? '').slice(before.length);
			const sign = append ? '+=' : '=';
			await trace(shell, assignment.value ? `${name}${sign}${quoteWord(value)}` : printAssignment(assignment));
		}
		shell.variables.set('_', '');
		return shell.substitutionStatus ?? 0;
	};
	if (command.redirections.length === 0) return work();
	if (command.assignments.length === 0) return withRedirections(shell, command.redirections, work);
	const status = await work();
	return withRedirections(shell, command.redirections, async () => status);
}

const printAssignment = (assignment: Assignment) => printWord({ type: 'Word', parts: [], assignment });

function literalText(word: Word): string | null {
	const [part] = word.parts;
	return word.parts.length === 1 && part?.type === 'Literal' ? part.value : null;
}
