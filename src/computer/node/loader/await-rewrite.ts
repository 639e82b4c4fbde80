import { parse, type Token } from 'sucrase/dist/esm/parser/index.js';
import { TokenType as tt } from 'sucrase/dist/esm/parser/tokenizer/types.js';
import { ContextualKeyword } from 'sucrase/dist/esm/parser/tokenizer/keywords.js';

/** Functions called by a rewritten `await`: see `modules/async-hooks.ts`. */
export const WAIT = '__sandglass_wait';
export const RESUME = '__sandglass_resume';
export const FOLLOW = '__sandglass_follow';
/** Function that receives the argument of a rewritten direct `eval`: see `async-context.ts`. */
export const EVALUATED = '__sandglass_evaluated';

const PREFIXES = new Set<number>([
	tt.bang,
	tt.tilde,
	tt.plus,
	tt.minus,
	tt.preIncDec,
	tt._typeof,
	tt._void,
	tt._delete,
	tt._new
]);
const OPENING = new Set<number>([tt.parenL, tt.bracketL, tt.braceL, tt.dollarBraceL]);
const CLOSING = new Set<number>([tt.parenR, tt.bracketR, tt.braceR]);

/**
 * Rewrites `await x` to `RESUME(await WAIT(x))`, so that the context of an asynchronous call is restored after it;
 * browsers have no other hook. `for await (… of x)` becomes `for await (… of FOLLOW(x))`, and a direct `eval(x)`
 * becomes `eval(EVALUATED(x))`: webpack's development builds store each module in such a string. Lines are preserved.
 * @throws errors of the parser
 */
export function rewriteAwaits(code: string): string {
	const { tokens } = parse(code, false, false, false);
	const closes = matching(tokens);
	const inserts: [position: number, text: string][] = [];
	for (const [index, token] of tokens.entries()) {
		const evaluated = isDirectEval(code, tokens, index) ? closes.get(index + 1) : undefined;
		if (evaluated !== undefined && isCall(tokens, index, evaluated)) {
			const [open, close] = [tokens[index + 1], tokens[evaluated]];
			if (open && close) inserts.push([open.end, `${EVALUATED}(`], [close.start, ')']);
			continue;
		}
		if (!isAwait(tokens, closes, index)) continue;
		if (tokens[index - 1]?.type === tt._for) {
			const [first, last] = iterated(tokens, closes, index + 1);
			if (first && last)
				inserts.push([first.start, `${code[first.start - 1] === ' ' ? '' : ' '}${FOLLOW}(`], [last.end, ')']);
			continue;
		}
		const last = tokens[operandEnd(code, tokens, closes, index + 1) - 1];
		if (!last || last.start <= token.start) continue;
		inserts.push([token.start, `${RESUME}(`], [token.end, ` ${WAIT}(`], [last.end, '))']);
	}
	let result = '';
	let at = 0;
	for (const [position, text] of inserts.sort(([a], [b]) => a - b)) {
		result += code.slice(at, position) + text;
		at = position;
	}
	return result + code.slice(at);
}

/** Tokens that cannot follow the operator: before them, `await` is the name of a property or a variable. */
const AFTER_NAME = new Set<number>([
	...[tt.colon, tt.comma, tt.parenR, tt.braceR, tt.bracketR, tt.semi, tt.eof],
	...[tt.eq, tt.assign, tt.dot, tt.questionDot, tt.question, tt.arrow, tt._in]
]);

/** Detects the operator, also before the head of a loop. */
function isAwait(tokens: Token[], closes: Map<number, number>, index: number): boolean {
	const token = tokens[index];
	if (token?.type !== tt.name || token.contextualKeyword !== ContextualKeyword._await) return false;
	const [before, after] = [tokens[index - 1]?.type, tokens[index + 1]?.type];
	if (before === tt.dot || before === tt.questionDot || AFTER_NAME.has(after ?? tt.eof)) return false;
	// For a method of that name, a body follows the parentheses.
	const isMethod = after === tt.parenL && tokens[(closes.get(index + 1) ?? index) + 1]?.type === tt.braceL;
	return !isMethod || before === tt._for;
}

/** Returns whether the name `eval` before a parenthesis is not that of a property. */
function isDirectEval(code: string, tokens: Token[], index: number): boolean {
	const { type, start, end } = tokens[index] ?? {};
	const before = tokens[index - 1]?.type;
	return (
		type === tt.name &&
		tokens[index + 1]?.type === tt.parenL &&
		code.slice(start, end) === 'eval' &&
		![tt.dot, tt.questionDot, tt._function, tt._new].some((each) => each === before)
	);
}

/** Returns whether it is a call with arguments, not one without or a method, whose body follows the parentheses. */
const isCall = (tokens: Token[], index: number, close: number): boolean =>
	close > index + 2 && tokens[close + 1]?.type !== tt.braceL;

/** First and last token of the iterated expression of a loop whose head begins at `open`. */
function iterated(tokens: Token[], closes: Map<number, number>, open: number): [Token?, Token?] {
	const end = closes.get(open) ?? open;
	for (let at = open + 1; at < end; at = (closes.get(at) ?? at) + 1) {
		const isOf = tokens[at]?.type === tt.name && tokens[at]?.contextualKeyword === ContextualKeyword._of;
		if (isOf && at > open + 1) return [tokens[at + 1], tokens[end - 1]];
	}
	return [];
}

/** Index of the closing token for each opening bracket and template quote. */
export function matching(tokens: Token[]): Map<number, number> {
	const closes = new Map<number, number>();
	const open: number[] = [];
	for (const [index, { type }] of tokens.entries()) {
		const top = open.at(-1);
		if (type === tt.backQuote && top !== undefined && tokens[top]?.type === tt.backQuote) {
			closes.set(top, index);
			open.pop();
		} else if (OPENING.has(type) || type === tt.backQuote) open.push(index);
		else if (CLOSING.has(type) && top !== undefined) {
			closes.set(top, index);
			open.pop();
		}
	}
	return closes;
}

/** Index after the unary expression that begins at `index`. */
function operandEnd(code: string, tokens: Token[], closes: Map<number, number>, index: number): number {
	let at = index;
	const type = (place: number) => tokens[place]?.type ?? tt.eof;
	const after = (place: number) => (closes.get(place) ?? place) + 1;
	const next = (wanted: number, from: number) => {
		let place = from;
		while (place < tokens.length && type(place) !== wanted) place++;
		return place;
	};
	// The parser reports the word as a name if a function is an expression.
	const isFunction = (place: number) =>
		type(place) === tt._function ||
		(type(place) === tt.name && code.slice(tokens[place]?.start, tokens[place]?.end) === 'function');
	while (PREFIXES.has(type(at)) || isAwait(tokens, closes, at)) at++;
	if (type(at) === tt.name && tokens[at]?.contextualKeyword === ContextualKeyword._async && isFunction(at + 1)) at++;
	if (isFunction(at)) at = after(next(tt.braceL, after(next(tt.parenL, at))));
	else if (type(at) === tt._class) {
		at++;
		if (type(at) === tt.name) at++;
		if (type(at) === tt._extends) at = operandEnd(code, tokens, closes, at + 1);
		at = after(next(tt.braceL, at));
	} else at = closes.has(at) ? after(at) : at + 1;
	for (;;) {
		const here = type(at);
		if (here === tt.dot || here === tt.questionDot) {
			at++;
			if (type(at) === tt.hash) at++;
			at = closes.has(at) ? after(at) : at + 1;
		} else if (here === tt.parenL || here === tt.bracketL || here === tt.backQuote) at = after(at);
		else if (here === tt.postIncDec) at++;
		else return at;
	}
}
