import { scriptDeclarations, type Declarations } from './script-declarations.ts';

/** Names in a script that its scope must know. */
export interface ScriptNames {
	declared: Declarations;
	/** `typeof x` of an undefined name is not an error. A scope cannot distinguish it from `x`; the text can. */
	afterTypeof: ReadonlySet<string>;
}

const NOTHING: Declarations = { isStrict: false, variables: [], functions: [], blockFunctions: [], lexical: [] };

/** Limit of characters of all cached scripts; beyond it the cache is cleared. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Cache: script → its names. Test runners run the same modules in one context after another, and parsing takes long.
 */
const known = new Map<string, ScriptNames>();
let characters = 0;

/** Names in a script. Results are cached, so they must not be modified. */
export function namesOf(code: string): ScriptNames {
	const kept = known.get(code);
	if (kept) return kept;
	const afterTypeof = new Set([...code.matchAll(/\btypeof\s+([\w$]+)/g)].map(([, found = '']) => found));
	const names = { declared: declarationsOf(code), afterTypeof };
	characters += code.length;
	if (characters > KEPT_CHARACTERS) {
		known.clear();
		characters = code.length;
	}
	known.set(code, names);
	return names;
}

function declarationsOf(code: string): Declarations {
	try {
		return scriptDeclarations(code);
	} catch {
		// The engine reports the error.
		return NOTHING;
	}
}
