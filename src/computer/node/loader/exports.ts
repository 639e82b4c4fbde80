import type { Export } from 'es-module-lexer/js';

/** Function that a rewritten module calls with its exports: a name, then a getter. */
export const EXPORT = '__sandglass_export';
const DEFAULT = '__sandglass_default';

const LIST =
	/^export\s*(?:\{[^}]*\}|\*(?:\s*as\s+(?:'[^']*'|"[^"]*"|[^\s'"]+))?)(?:\s*from\s*(['"])(?:(?!\1).)*\1)?(?:\s*with\s*\{[^}]*\})?/;
/** Empty export list, which only marks the file as a module. */
const EMPTY_LIST = /(?<=^|[;\n}]\s*)export\s*\{\s*\}(?:\s*from\s*(?:'[^'\n]*'|"[^"\n]*"))?/g;
const DEFAULT_EXPORT = /^export\s+default\b\s*/;
const FUNCTION = /^((?:async\s+)?function\b\s*\*?\s*)([^\s(]+)?/;
const NAMED_CLASS = /^class\s+(?!extends\b)([^\s{]+)/;

export interface Passed {
	name: string;
	from: string;
	/** `null`: the whole namespace. */
	importName: string | null;
}

/**
 * Rewrites a module's own `export`s to plain declarations, on the same lines. `head` contains getters for the
 * exported names: it may run before the module, as a module's bindings exist before it runs.
 */
export function withoutExports(
	code: string,
	exports: readonly Export[]
): { head: string; code: string; names: string[]; passed: Passed[]; stars: string[] } {
	let result = '';
	let at = 0;
	let head = '';
	let tail = '';
	const names: string[] = [];
	const passed: Passed[] = [];
	const stars: string[] = [];
	let seen = -1;
	for (const entry of [...exports].sort((a, b) => a.exportStart - b.exportStart)) {
		let local = entry.type === 'direct' ? entry.localName : undefined;
		if (entry.exportStart !== seen) {
			seen = entry.exportStart;
			const statement = plainStatement(code.slice(seen));
			result += code.slice(at, seen) + statement.text;
			at = seen + statement.length;
			if (statement.local) local = statement.local;
			// An anonymous default export gets the name `default`.
			if (local === DEFAULT) {
				tail = `\n;if (typeof ${DEFAULT} === 'function' && ${DEFAULT}.name === '${DEFAULT}') Object.defineProperty(${DEFAULT}, 'name', { value: 'default', configurable: true });`;
			}
		}
		if (entry.type === 'direct') {
			names.push(entry.name);
			head += `${EXPORT}(${JSON.stringify(entry.name)}, () => ${local ?? entry.name});`;
		} else if (entry.type === 'reexport')
			passed.push({ name: entry.name, from: entry.from, importName: entry.importName });
		else stars.push(entry.from);
	}
	const plain = (result + code.slice(at)).replace(EMPTY_LIST, (list) => blank(list).replace(/ $/, ';'));
	return { head, code: plain + tail, names, passed, stars };
}

/** Returns the statement at the start of `rest` without `export`, and the length it replaces. */
function plainStatement(rest: string): { text: string; length: number; local?: string } {
	const list = LIST.exec(rest)?.[0];
	if (list !== undefined) return { text: `;${blank(list).slice(1)}`, length: list.length };
	const start = DEFAULT_EXPORT.exec(rest)?.[0];
	if (start === undefined) return { text: '      ', length: 'export'.length };
	const value = rest.slice(start.length);
	const [, keywords = '', name] = FUNCTION.exec(value) ?? [];
	if (name !== undefined) return { text: blank(start), length: start.length, local: name };
	if (keywords !== '') {
		const length = start.length + keywords.length;
		return { text: `${blank(start)}${keywords} ${DEFAULT}`, length, local: DEFAULT };
	}
	const className = NAMED_CLASS.exec(value)?.[1];
	if (className !== undefined) return { text: blank(start), length: start.length, local: className };
	return { text: `const ${DEFAULT} = ${start.replace(/[^\n]/g, '')}`, length: start.length, local: DEFAULT };
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');
