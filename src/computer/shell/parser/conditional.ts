import type { Conditional, Word } from '../ast/nodes.ts';
import type { Cursor } from './cursor.ts';
import { ShellSyntaxError } from './error.ts';
import { readWord } from './word.ts';

const UNARY = /-[a-hknoprstuvwxzGLNORS](?=[ \t\n)])/y;
const BINARY = /==|!=|=~|=(?=[ \t\n])|<(?!\()|>(?!\()|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)(?=[ \t\n])/y;

/** Parses the expression of `[[ … ]]` including its end. @throws ShellSyntaxError */
export function readConditional(cursor: Cursor): Conditional {
	try {
		cursor.lines();
		const expression = readOr(cursor);
		cursor.lines();
		if (!cursor.reserved(']]')) cursor.fail();
		return expression;
	} catch (error) {
		throw error instanceof ShellSyntaxError && error.cost === 'text' ? error.with('test') : error;
	}
}

function readOr(cursor: Cursor): Conditional {
	let left = readAnd(cursor);
	for (cursor.lines(); cursor.take('||'); cursor.lines()) {
		cursor.lines();
		left = { type: 'CondOr', left, right: readAnd(cursor) };
	}
	return left;
}

function readAnd(cursor: Cursor): Conditional {
	let left = readTerm(cursor);
	for (cursor.lines(); cursor.take('&&'); cursor.lines()) {
		cursor.lines();
		left = { type: 'CondAnd', left, right: readTerm(cursor) };
	}
	return left;
}

function readTerm(cursor: Cursor): Conditional {
	cursor.lines();
	const isPattern = cursor.dialect.extglob && cursor.sees('!(');
	if (!isPattern && cursor.reserved('!')) return { type: 'CondNot', operand: readTerm(cursor) };
	if (cursor.take('(')) {
		const operand = readOr(cursor);
		cursor.lines();
		if (!cursor.take(')')) cursor.fail();
		return { type: 'CondGroup', operand };
	}
	const unary = cursor.match(UNARY)?.[0];
	if (unary !== undefined) {
		const { at } = cursor;
		cursor.at += unary.length;
		cursor.blanks();
		const isOperand = !cursor.match(BINARY) || cursor.match(/\S+[ \t]+(?:\]\]|&&|\|\||\))/y) !== null;
		if (isOperand && !cursor.seesReserved(']]') && !cursor.match(/&&|\|\||\)/y))
			return { type: 'CondUnary', operator: unary, operand: operand(cursor) };
		if (!cursor.match(BINARY)) cursor.fail();
		cursor.at = at;
	}
	const left = operand(cursor);
	cursor.blanks();
	const operator = cursor.match(BINARY)?.[0];
	if (operator === undefined) return { type: 'CondWord', word: left };
	cursor.at += operator.length;
	cursor.blanks();
	const mode = operator === '=~' ? 'regex' : operator.includes('=') ? 'pattern' : 'word';
	return { type: 'CondBinary', operator, left, right: operand(cursor, mode) };
}

function operand(cursor: Cursor, mode: 'word' | 'pattern' | 'regex' = 'word'): Word {
	const word = cursor.seesReserved(']]') ? null : readWord(cursor, mode);
	return word ?? cursor.fail();
}
