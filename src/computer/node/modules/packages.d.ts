/** Types for packages that bring none. */
declare module 'readable-stream' {
	import stream from 'node:stream';
	export default stream;
}
declare module 'process/' {
	const shim: { nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void };
	export default shim;
}
declare module 'string_decoder/' {
	export { StringDecoder } from 'node:string_decoder';
}

declare module 'sucrase/dist/esm/parser/index.js' {
	export interface Token {
		type: number;
		contextualKeyword: number;
		start: number;
		end: number;
		scopeDepth: number;
		identifierRole: number | null;
	}
	export interface Scope {
		startTokenIndex: number;
		endTokenIndex: number;
		isFunctionScope: boolean;
	}
	export interface File {
		tokens: Token[];
		scopes: Scope[];
	}
	/** @throws SyntaxError */
	export function parse(code: string, jsx: boolean, typescript: boolean, flow: boolean): File;
}

declare module 'sucrase/dist/esm/parser/tokenizer/types.js' {
	export const TokenType: Record<
		| 'name'
		| 'eof'
		| 'dot'
		| 'hash'
		| 'backQuote'
		| 'dollarBraceL'
		| 'questionDot'
		| 'postIncDec'
		| 'preIncDec'
		| 'parenL'
		| 'parenR'
		| 'bracketL'
		| 'bracketR'
		| 'braceL'
		| 'braceR'
		| 'bang'
		| 'tilde'
		| 'plus'
		| 'minus'
		| '_typeof'
		| '_void'
		| '_delete'
		| '_new'
		| '_for'
		| '_function'
		| '_class'
		| '_extends'
		| '_import'
		| '_const'
		| '_let'
		| '_var'
		| 'star'
		| '_return'
		| 'string'
		| 'eq'
		| 'comma'
		| 'colon'
		| 'question'
		| 'arrow',
		number
	>;
}

declare module 'sucrase/dist/esm/parser/tokenizer/keywords.js' {
	export const ContextualKeyword: Record<'_await' | '_async' | '_of', number>;
}
