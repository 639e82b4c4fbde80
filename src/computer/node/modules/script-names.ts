import { scriptDeclarations, type Declarations } from './script-declarations.ts';

/** Names in a script that its scope has to know. */
export interface ScriptNames {
	declared: Declarations;
	/** `typeof x` of an undefined name is no error. A scope cannot distinguish it from `x`; the text can. */
	afterTypeof: ReadonlySet<string>;
}

const NOTHING: Declarations = { isStrict: false, variables: [], functions: [], blockFunctions: [], lexical: [] };

/** Characters of all scripts whose names are kept; beyond it all are forgotten. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Script → its names. Test runners run the same modules in one context after another, and parsing takes long. */
const known = new Map<string, ScriptNames>();
let characters = 0;

/** Names in a script. Those of recent scripts are kept, so the result must not be changed. */
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
		// The engine says what is wrong with it.
		return NOTHING;
	}
}
