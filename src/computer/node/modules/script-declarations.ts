import { parse, type File } from 'sucrase/dist/esm/parser/index.js';
import { TokenType as tt } from 'sucrase/dist/esm/parser/tokenizer/types.js';

/** Names that a script declares outside all of its functions, by kind of declaration. */
export interface Declarations {
	isStrict: boolean;
	/** `var`, including in blocks. */
	variables: string[];
	/** Functions at top level: initialized before the script runs. */
	functions: string[];
	/** Functions in blocks: initialized when the block is entered. */
	blockFunctions: string[];
	/** `let`, `const` and `class` at top level: shared by scripts, but not properties of the global object. */
	lexical: string[];
}

const KEYWORDS = new Map<number, 'var' | 'lexical'>([
	[tt._var, 'var'],
	[tt._let, 'lexical'],
	[tt._const, 'lexical']
]);

/** @throws errors of the parser */
export function scriptDeclarations(code: string): Declarations {
	const file = parse(code, false, false, false);
	const { tokens } = file;
	const found = { variables: new Set<string>(), functions: new Set<string>(), blockFunctions: new Set<string>() };
	const lexical = new Set<string>();
	const isInFunction = functionTokens(file);
	/** Keyword of the declaration at each nesting depth. */
	const kinds: ('var' | 'lexical' | undefined)[] = [];
	for (const [index, token] of tokens.entries()) {
		const keyword = KEYWORDS.get(token.type);
		if (keyword) kinds[token.scopeDepth] = keyword;
		if (isInFunction[index] || !isDeclaration(token.identifierRole)) continue;
		const name = code.slice(token.start, token.end);
		const isTop = token.scopeDepth === 0;
		const before = tokens[index - 1]?.type;
		if (before === tt._function || (before === tt.star && tokens[index - 2]?.type === tt._function)) {
			found[isTop ? 'functions' : 'blockFunctions'].add(name);
		} else if (before === tt._class || kinds[token.scopeDepth] === 'lexical') {
			if (isTop) lexical.add(name);
		} else if (kinds[token.scopeDepth] === 'var') found.variables.add(name);
	}
	return {
		isStrict: /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*(?:'use strict'|"use strict")/.test(code),
		variables: [...found.variables],
		functions: [...found.functions],
		blockFunctions: [...found.blockFunctions],
		lexical: [...lexical]
	};
}

/** Sucrase's `IdentifierRole`, an enum that only exists in its own build: 2 to 7 are declarations. */
const isDeclaration = (role: number | null): boolean => role !== null && role >= 2 && role <= 7;

/** @returns for each token, whether it is inside a function */
function functionTokens({ tokens, scopes }: File): boolean[] {
	const changes = new Array<number>(tokens.length + 1).fill(0);
	for (const { startTokenIndex, endTokenIndex, isFunctionScope } of scopes) {
		// The whole script also is such a scope.
		if (!isFunctionScope || (startTokenIndex === 0 && endTokenIndex >= tokens.length)) continue;
		changes[startTokenIndex] = (changes[startTokenIndex] ?? 0) + 1;
		changes[endTokenIndex] = (changes[endTokenIndex] ?? 0) - 1;
	}
	let depth = 0;
	return tokens.map((_, index) => (depth += changes[index] ?? 0) > 0);
}
