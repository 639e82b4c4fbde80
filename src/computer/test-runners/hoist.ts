import { parse, type Token } from 'sucrase/dist/esm/parser/index.js';
import { TokenType as tt } from 'sucrase/dist/esm/parser/tokenizer/types.js';
import { matching } from '#computer/node/loader/await-rewrite.ts';
import { HOISTED } from '#computer/node/loader/transform.ts';
import { MOCKING } from './mocking.ts';

const OBJECTS = new Set(['vi', 'vitest', 'jest']);
const METHODS = new Set(['mock', 'unmock', 'deepUnmock', 'hoisted']);
const TOOLS = new Set(['vitest', '@jest/globals']);

interface Edit {
	start: number;
	end: number;
	text: string;
}

/**
 * Makes calls of `vi.mock`, `vi.unmock`, `vi.hoisted` and `jest.mock` at the top level of a file run before its
 * imports. Each call becomes a function at its place, which exists from the start, and is called before
 * {@link HOISTED}. Line numbers are unchanged.
 */
export function hoistMocks(code: string, file: string): string {
	if (!/\b(?:vi|vitest|jest)\s*\.\s*(?:mock|unmock|deepUnmock|hoisted)\b/.test(code)) return code;
	const { tokens } = parse(code, false, false, false);
	const closes = matching(tokens);
	const text = (token: Token | undefined) => (token ? code.slice(token.start, token.end) : '');
	const edits: Edit[] = [];
	let ahead = '';
	let calls = 0;
	for (let at = 0; at < tokens.length; at = (closes.get(at) ?? at) + 1) {
		const token = tokens[at];
		if (!token) break;
		if (token.type === tt._import && tokens[at + 1]?.type !== tt.parenL) {
			const end = importEnd(tokens, at);
			if (!TOOLS.has(text(tokens[end]).slice(1, -1))) continue;
			const words = tokens.slice(at, end + 1);
			ahead += `${words.map(text).join(' ')};`;
			edits.push({ start: token.start, end: words.at(-1)?.end ?? token.end, text: '' });
			at = end;
			continue;
		}
		const close = closes.get(at + 3);
		if (!OBJECTS.has(text(token)) || tokens[at + 1]?.type !== tt.dot || close === undefined) continue;
		if (!METHODS.has(text(tokens[at + 2])) || tokens[at + 3]?.type !== tt.parenL) continue;
		if (tokens[close + 1]?.type === tt.dot || tokens[at - 1]?.type === tt.dot) continue;
		const pattern = declared(tokens, closes, at);
		const isStatement = pattern === null && !goesOn(tokens[at - 1], text(tokens[at - 1]));
		if (pattern === null && !isStatement) continue;
		const name = `__sandglass_hoisted_${calls++}`;
		const open = tokens[at + 3];
		const argument = importedPath(tokens, at + 4);
		if (argument) edits.push({ start: argument[0].start, end: argument[1].end, text: text(tokens[at + 6]) });
		const head = `function ${name}() { return ${MOCKING}.${text(tokens[at + 2])}`;
		const first = pattern?.[0] ?? token;
		edits.push({ start: first.start, end: open?.start ?? token.end, text: head });
		edits.push({ start: tokens[close]?.end ?? token.end, end: tokens[close]?.end ?? token.end, text: '; }' });
		ahead += pattern ? `var ${pattern.slice(1).map(text).join(' ')} = ${name}();` : `${name}();`;
		at = close;
	}
	if (calls === 0) return code;
	return `${MOCKING}.in(${JSON.stringify(file)});${ahead}${HOISTED}${edited(code, edits)}`;
}

/** Tokens before an expression that continues: a call after them is not a separate statement. */
const ENDS_NOTHING = new Set<number>([
	tt.eq,
	tt.comma,
	tt.colon,
	tt.question,
	tt.arrow,
	tt._return,
	tt.bang,
	tt._typeof,
	tt._void
]);

const goesOn = (before: Token | undefined, text: string) =>
	before !== undefined && (ENDS_NOTHING.has(before.type) || text === 'await');

/** Index of the string that an import statement ends with. */
function importEnd(tokens: Token[], at: number): number {
	while (at < tokens.length && tokens[at]?.type !== tt.string) at++;
	return at;
}

/** For `const pattern = vi.hoisted(…)`: its tokens from `const` up to the `=`. */
function declared(tokens: Token[], closes: Map<number, number>, call: number): Token[] | null {
	if (tokens[call - 1]?.type !== tt.eq) return null;
	const opens = [...closes].find(([, close]) => close === call - 2)?.[0];
	const keyword = (opens ?? call - 2) - 1;
	const type = tokens[keyword]?.type;
	if (type !== tt._const && type !== tt._let && type !== tt._var) return null;
	return tokens.slice(keyword, call - 1);
}

/** For `vi.mock(import('./a'), …)`, which only provides the type: the tokens of `import` and its `)`. */
function importedPath(tokens: Token[], at: number): [Token, Token] | null {
	const [first, open, path, last] = tokens.slice(at, at + 4);
	if (first?.type !== tt._import || open?.type !== tt.parenL || path?.type !== tt.string) return null;
	return last?.type === tt.parenR ? [first, last] : null;
}

/** Applies edits to the text, preserving the number of lines of each. */
function edited(code: string, edits: Edit[]): string {
	let result = '';
	let at = 0;
	for (const { start, end, text } of edits.sort((a, b) => a.start - b.start || a.end - b.end)) {
		result += code.slice(at, start) + text + code.slice(start, end).replace(/[^\n]/g, '');
		at = end;
	}
	return result + code.slice(at);
}
