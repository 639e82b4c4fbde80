import type { Command, Pipeline, Redirection, Script, SimpleCommand, Statement, Word } from '../ast/nodes.ts';
import { readAssignment } from './assignment.ts';
import { readCompound, readFunctionBody } from './compound.ts';
import type { Cursor } from './cursor.ts';
import { ShellSyntaxError } from './error.ts';
import { readRedirection } from './redirection.ts';
import { readParts, readWord } from './word.ts';

/** Words that end a list of commands where one may begin. */
const ENDS = ['in', 'then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}'];
/** Builtins whose arguments may be assignments (including arrays). */
const DECLARATIONS = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);
/** Builtins whose arguments may be arrays, which are expanded like other words. */
const TAKE_ARRAYS = new Set(['alias', 'eval', 'let']);

/** Parses the commands of `$(…)` and the closing parenthesis. @throws ShellSyntaxError */
export function readSubstitution(cursor: Cursor): Script {
	const outer = cursor.pending;
	cursor.pending = [];
	try {
		const statements = readList(cursor);
		cursor.blanks();
		if (cursor.ended) cursor.unclosed(')');
		if (!cursor.take(')')) cursor.fail();
		cursor.pending = [...outer, ...cursor.pending];
		return { type: 'Script', statements };
	} catch (error) {
		throw error instanceof ShellSyntaxError && error.cost === 'text' ? error.with('shell') : error;
	}
}

/** Parses statements up to a word or operator that ends a list. @throws ShellSyntaxError */
export function readList(cursor: Cursor): Statement[] {
	const statements: Statement[] = [];
	for (;;) {
		cursor.commandLines();
		if (endsList(cursor)) return statements;
		const { statement, isSeparated } = readStatement(cursor);
		statements.push(statement);
		if (!isSeparated) return statements;
	}
}

const endsList = (cursor: Cursor): boolean =>
	cursor.ended ||
	cursor.char === ')' ||
	cursor.sees(';;') ||
	cursor.sees(';&') ||
	ENDS.some((word) => cursor.seesReserved(word));

/** Parses a list that must not be empty. @throws ShellSyntaxError */
export function readFilledList(cursor: Cursor): Statement[] {
	const statements = readList(cursor);
	if (statements.length === 0) cursor.fail();
	return statements;
}

/** Parses the statements of the next non-empty line; null at the end. @throws ShellSyntaxError */
export function readLine(cursor: Cursor): Statement[] | null {
	cursor.lines();
	if (cursor.ended) return null;
	const statements: Statement[] = [];
	for (;;) {
		cursor.commandBlanks();
		if (cursor.ended || cursor.char === '\n') break;
		const { statement, isSeparated } = readStatement(cursor);
		statements.push(statement);
		if (isSeparated) continue;
		cursor.blanks();
		if (cursor.ended || cursor.char === '\n') break;
		cursor.fail();
	}
	if (cursor.char === '\n') cursor.newline();
	else cursor.finish();
	return statements;
}

function readStatement(cursor: Cursor): { statement: Statement; isSeparated: boolean } {
	const from = cursor.at;
	const pipelines = [readPipeline(cursor)];
	const operators: ('&&' | '||')[] = [];
	for (;;) {
		cursor.blanks();
		const operator = cursor.take('&&') ? '&&' : cursor.take('||') ? '||' : null;
		if (!operator) break;
		operators.push(operator);
		cursor.commandLines();
		pipelines.push(readPipeline(cursor));
	}
	const sourceText = cursor.source.slice(from, cursor.at).trim();
	const background = cursor.char === '&';
	const isSeparated = background || (cursor.char === ';' && !cursor.sees(';;') && !cursor.sees(';&'));
	if (isSeparated) cursor.at++;
	return {
		statement: { type: 'Statement', pipelines, operators, background, sourceText },
		isSeparated: isSeparated || cursor.char === '\n'
	};
}

function readPipeline(cursor: Cursor): Pipeline {
	const pipeline: Pipeline = { type: 'Pipeline', commands: [], negated: false, timed: false, timePosix: false };
	let isMarked = false;
	for (;;) {
		cursor.commandBlanks();
		if (cursor.reserved('!')) pipeline.negated = !pipeline.negated;
		else if (cursor.reserved('time')) {
			pipeline.timed = true;
			cursor.blanks();
			if (cursor.reserved('-p')) pipeline.timePosix = true;
			cursor.blanks();
			// As in bash, `--` selects that form too.
			if (cursor.reserved('--')) pipeline.timePosix = true;
		} else break;
		isMarked = true;
	}
	if (isMarked && (cursor.ended || cursor.char === ';' || cursor.char === '\n' || cursor.char === ')')) return pipeline;
	for (;;) {
		const command = readCommand(cursor);
		pipeline.commands.push(command);
		cursor.blanks();
		if (cursor.sees('||') || !cursor.take('|')) return pipeline;
		if (cursor.take('&')) command.redirections.push(errorsToo());
		cursor.commandLines();
	}
}

/** `|&` is `2>&1 |`. */
const errorsToo = (): Redirection => ({
	fd: 2,
	fdVariable: null,
	operator: '>&',
	target: { type: 'Word', parts: [{ type: 'Literal', value: '1' }] }
});

/** Parses one command of any kind. @throws ShellSyntaxError */
export function readCommand(cursor: Cursor): Command {
	cursor.commandBlanks();
	return readCompound(cursor) ?? readSimple(cursor);
}

function readSimple(cursor: Cursor): Command {
	const { line } = cursor;
	const command: SimpleCommand = {
		type: 'SimpleCommand',
		line,
		assignments: [],
		name: null,
		args: [],
		redirections: []
	};
	let name = '';
	for (;;) {
		const count = command.assignments.length + command.redirections.length + command.args.length;
		// Counted as in bash, which has parsed the second word when it creates the command of the first.
		if (count + (command.name ? 1 : 0) <= 2) command.line = cursor.line;
		cursor.blanks();
		const redirection = readRedirection(cursor);
		if (redirection) {
			command.redirections.push(redirection);
			continue;
		}
		if (command.name === null) {
			if (command.assignments.length > 0 || command.redirections.length > 0) {
				cursor.commandBlanks();
				const late = readRedirection(cursor);
				if (late) {
					command.redirections.push(late);
					continue;
				}
			}
			const assignment = readAssignment(cursor);
			if (assignment) {
				command.assignments.push(assignment);
				continue;
			}
			if (
				ENDS.some((word) => cursor.seesReserved(word)) &&
				command.assignments.length + command.redirections.length === 0
			)
				cursor.fail();
			const from = cursor.at;
			command.name = readWord(cursor);
			if (!command.name) break;
			name = cursor.source.slice(from, cursor.at);
			const isFirst = command.assignments.length === 0 && command.redirections.length === 0;
			cursor.blanks();
			if (isFirst && cursor.char === '(') return readFunction(cursor, name, line);
			continue;
		}
		const argument = readArgument(cursor, name);
		if (!argument) break;
		command.args.push(argument);
	}
	if (cursor.char === '(') cursor.fail();
	if (!command.name && command.assignments.length === 0 && command.redirections.length === 0) cursor.fail();
	return command;
}

function readArgument(cursor: Cursor, name: string): Word | null {
	if (DECLARATIONS.has(name)) {
		const assignment = readAssignment(cursor, true);
		if (assignment) return { type: 'Word', parts: [], assignment };
	}
	const head = TAKE_ARRAYS.has(name) ? cursor.match(/[A-Za-z_]\w*\+?=(?=\()/y)?.[0] : undefined;
	if (head === undefined) return readWord(cursor);
	cursor.at += head.length;
	return { type: 'Word', parts: [{ type: 'Literal', value: head }, ...readParts(cursor, 'regex', '')] };
}

/** Parses the rest of `name()` and its body; the name has been parsed. */
function readFunction(cursor: Cursor, name: string, line: number): Command {
	cursor.at++;
	cursor.blanks();
	if (!cursor.take(')')) cursor.fail();
	return readFunctionBody(cursor, name, line);
}
