/** Types for packages without their own. */
declare module 'readable-stream' {
	import stream from 'node:stream';
	export default stream;
}
declare module 'process/' {
	const shim: { nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void };
	export default shim;
}
declare module 'pako/lib/zlib/zstream.js' {
	type Tuning = 'level' | 'strategy' | 'max_lazy_match' | 'good_match' | 'nice_match' | 'max_chain_length';
	/** zlib's `z_stream`. */
	export default class ZStream {
		input: Uint8Array;
		next_in: number;
		avail_in: number;
		output: Uint8Array<ArrayBuffer>;
		next_out: number;
		avail_out: number;
		msg: string;
		state: Record<Tuning, number>;
	}
}
declare module 'pako/lib/zlib/deflate.js' {
	import type ZStream from 'pako/lib/zlib/zstream.js';
	export function deflateInit2(
		stream: ZStream,
		level: number,
		method: number,
		windowBits: number,
		memLevel: number,
		strategy: number
	): number;
	export function deflate(stream: ZStream, flush: number): number;
	export function deflateSetDictionary(stream: ZStream, dictionary: Uint8Array): number;
}
declare module 'pako/lib/zlib/inflate.js' {
	import type ZStream from 'pako/lib/zlib/zstream.js';
	export function inflateInit2(stream: ZStream, windowBits: number): number;
	export function inflateReset(stream: ZStream): number;
	export function inflate(stream: ZStream, flush: number): number;
	export function inflateSetDictionary(stream: ZStream, dictionary: Uint8Array): number;
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
		| 'arrow'
		| 'semi'
		| 'assign'
		| '_in',
		number
	>;
}

declare module 'sucrase/dist/esm/parser/tokenizer/keywords.js' {
	export const ContextualKeyword: Record<'_await' | '_async' | '_of', number>;
}
