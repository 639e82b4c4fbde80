import type {
	CaseItem,
	Command,
	CompoundCommand,
	FunctionDefinition,
	IfClause,
	Statement,
	Word
} from '../ast/nodes.ts';
import { readCommand, readFilledList, readList } from './commands.ts';
import { readConditional } from './conditional.ts';
import type { Cursor } from './cursor.ts';
import { ShellSyntaxError } from './error.ts';
import { readRedirection } from './redirection.ts';
import { readArithmeticBody, readParts, readWord } from './word.ts';

/** Parses a compound command or function definition, if there is one here. @throws ShellSyntaxError */
export function readCompound(cursor: Cursor): Command | null {
	const { line } = cursor;
	if (cursor.reserved('function')) return readFunctionWord(cursor, line);
	const command = readShape(cursor, line);
	if (!command) return null;
	for (;;) {
		cursor.blanks();
		const redirection = readRedirection(cursor);
		if (!redirection) return command;
		command.redirections.push(redirection);
	}
}

function readShape(cursor: Cursor, line: number): CompoundCommand | null {
	const common = { line, redirections: [] };
	if (cursor.sees('((')) {
		const expression = readArithmeticCommand(cursor);
		if (expression) return { ...common, type: 'ArithmeticCommand', expression };
	}
	if (cursor.take('(')) return { ...common, type: 'Subshell', body: readBody(cursor, ')') };
	if (cursor.reserved('{')) return { ...common, type: 'Group', body: readBody(cursor, '}') };
	if (cursor.reserved('[[')) return { ...common, type: 'ConditionalCommand', expression: readConditional(cursor) };
	if (cursor.reserved('if')) return { ...common, type: 'If', ...readIf(cursor) };
	if (cursor.reserved('while')) return { ...common, type: 'While', ...readLoop(cursor) };
	if (cursor.reserved('until')) return { ...common, type: 'Until', ...readLoop(cursor) };
	if (cursor.reserved('for')) return readFor(cursor, line);
	if (cursor.reserved('select')) return { ...common, type: 'Select', ...readChoices(cursor) };
	if (cursor.reserved('case')) return { ...common, type: 'Case', ...readCase(cursor) };
	if (cursor.reserved('coproc')) return readCoprocess(cursor, line);
	return null;
}

/** Parses `((…))`; null if the parentheses turn out to be subshells. */
function readArithmeticCommand(cursor: Cursor): Word | null {
	const { at, line } = cursor;
	cursor.at += 2;
	const expression = readArithmeticBody(cursor);
	if (!expression) {
		cursor.at = at;
		cursor.line = line;
	}
	return expression;
}

function expect(cursor: Cursor, word: string): void {
	const take = () => (word === ')' ? cursor.take(')') : cursor.reserved(word));
	if (take()) return;
	cursor.blanks();
	if (!take()) cursor.fail();
}

function readBody(cursor: Cursor, end: string): Statement[] {
	const body = readFilledList(cursor);
	expect(cursor, end);
	return body;
}

function readIf(cursor: Cursor): { clauses: IfClause[]; elseBody: Statement[] | null } {
	const clauses: IfClause[] = [];
	do clauses.push({ condition: readBody(cursor, 'then'), body: readFilledList(cursor) });
	while (cursor.reserved('elif'));
	const elseBody = cursor.reserved('else') ? readFilledList(cursor) : null;
	expect(cursor, 'fi');
	return { clauses, elseBody };
}

const readLoop = (cursor: Cursor) => ({ condition: readBody(cursor, 'do'), body: readBody(cursor, 'done') });

function readFor(cursor: Cursor, line: number): CompoundCommand {
	cursor.blanks();
	if (!cursor.sees('((')) return { type: 'For', line, redirections: [], ...readChoices(cursor) };
	const expressions = readCount(cursor);
	cursor.blanks();
	cursor.take(';');
	cursor.commandLines();
	return { type: 'CStyleFor', line, redirections: [], ...expressions, body: readDo(cursor) };
}

/** Parses `((init; condition; update))`. @throws ShellSyntaxError if there are fewer or more */
function readCount(cursor: Cursor): { init: Word; condition: Word; update: Word } {
	const { at, line } = cursor;
	cursor.at += 2;
	const expressions: Word[] = [];
	do expressions.push({ type: 'Word', parts: readParts(cursor, 'arithmetic', ';)') });
	while (cursor.take(';'));
	if (!cursor.take('))')) cursor.fail();
	const [init, condition, update, ...more] = expressions;
	if (init && condition && update && more.length === 0) return { init, condition, update };
	const fault = more.length > 0 ? "`;' unexpected" : 'arithmetic expression required';
	const written = cursor.source.slice(at, cursor.at);
	throw new ShellSyntaxError(`syntax error: ${fault}\nsyntax error: \`${written}'`, false, line);
}

function readDo(cursor: Cursor): Statement[] {
	if (cursor.reserved('{')) return readBody(cursor, '}');
	expect(cursor, 'do');
	return readBody(cursor, 'done');
}

/** Parses `name in words; do … done` of `for` and `select`. */
function readChoices(cursor: Cursor): { variable: string; words: Word[] | null; body: Statement[] } {
	cursor.blanks();
	const from = cursor.at;
	if (!readWord(cursor)) cursor.fail(true);
	const variable = cursor.source.slice(from, cursor.at);
	cursor.lines('choices');
	let words: Word[] | null = null;
	if (cursor.reserved('in')) {
		words = [];
		for (;;) {
			cursor.blanks();
			const word = readWord(cursor);
			if (!word) break;
			words.push(word);
		}
		if (cursor.char !== ';' && cursor.char !== '\n') cursor.fail();
	}
	// Aliases do not apply directly after the name.
	if (words || !cursor.seesReserved('do')) {
		cursor.blanks();
		if (!cursor.sees(';;')) cursor.take(';');
		cursor.commandLines();
	}
	return { variable, words, body: readDo(cursor) };
}

function readCase(cursor: Cursor): { word: Word; items: CaseItem[] } {
	cursor.blanks();
	const word = readWord(cursor) ?? cursor.fail(true);
	cursor.lines('choices');
	expect(cursor, 'in');
	const items: CaseItem[] = [];
	for (;;) {
		cursor.lines();
		if (cursor.reserved('esac')) return { word, items };
		items.push(readCaseItem(cursor));
		const last = items.at(-1);
		cursor.blanks();
		const terminator = ([';;&', ';&', ';;'] as const).find((one) => cursor.take(one));
		if (last && terminator) last.terminator = terminator;
		else {
			cursor.lines();
			expect(cursor, 'esac');
			return { word, items };
		}
	}
}

function readCaseItem(cursor: Cursor): CaseItem {
	cursor.take('(');
	const patterns: Word[] = [];
	do {
		cursor.blanks();
		patterns.push(readWord(cursor) ?? cursor.fail());
		cursor.blanks();
	} while (cursor.take('|'));
	if (!cursor.take(')')) cursor.fail();
	return { patterns, body: readList(cursor), terminator: ';;' };
}

function readFunctionWord(cursor: Cursor, line: number): FunctionDefinition {
	cursor.blanks();
	const from = cursor.at;
	if (!readWord(cursor)) cursor.fail(true);
	const name = cursor.source.slice(from, cursor.at);
	cursor.blanks();
	const parentheses = cursor.match(/\([ \t]*\)/y)?.[0];
	if (parentheses !== undefined) cursor.at += parentheses.length;
	return readFunctionBody(cursor, name, line);
}

/** Parses the body of a function whose head has been parsed. @throws ShellSyntaxError */
export function readFunctionBody(cursor: Cursor, name: string, line: number): FunctionDefinition {
	cursor.lines();
	const body = readCompound(cursor);
	if (!body || body.type === 'FunctionDef' || body.type === 'SimpleCommand') return cursor.fail();
	return { type: 'FunctionDef', line, lastLine: cursor.line, name, body, redirections: [] };
}

function readCoprocess(cursor: Cursor, line: number): CompoundCommand {
	cursor.blanks();
	const { at } = cursor;
	const name = cursor.match(/[A-Za-z_]\w*(?=[ \t\n])/y)?.[0];
	if (name !== undefined) {
		cursor.at += name.length;
		cursor.blanks();
		const body = readCompound(cursor);
		if (body) return { type: 'Coprocess', line, redirections: [], name, body };
		cursor.at = at;
	}
	return { type: 'Coprocess', line, redirections: [], name: 'COPROC', body: readCommand(cursor) };
}
