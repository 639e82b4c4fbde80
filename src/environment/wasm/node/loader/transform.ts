import { parse, type Export, type Import } from 'es-module-lexer/js';
import { transform, type Transform } from 'sucrase';

/** Names the rewritten source calls; nobody's program has them. */
export const IMPORT = '__sandglass_import';
export const META = '__sandglass_meta';
export const DONE = '__sandglass_done';
export const REQUIRE = '__sandglass_require';

export interface EsModuleSource {
	code: string;
	/** The JavaScript before imports were rewritten, and how long its first line was. */
	original: string;
	firstLineLength: number;
	/** Static dependencies in order, with attributes. */
	imports: { specifier: string; names: string[]; type: string | null }[];
	exports: string[];
	/** Modules whose exports this one passes on. */
	stars: string[];
	typescript: boolean;
}

const languages = (file: string): Transform[] => [
	...(/\.[cm]?tsx?$/.test(file) ? (['typescript'] as const) : []),
	...(/\.[jt]sx$/.test(file) ? (['jsx'] as const) : [])
];

/** TypeScript and JSX become JavaScript on the same lines; imports stay. Throws SyntaxError with the position. */
export function toJavaScript(source: string, file: string): string {
	const code = source.startsWith('#!') ? `//${source}` : source;
	const transforms = languages(file);
	if (transforms.length === 0) return code;
	return sucrase(code, file, transforms);
}

export function isTypeScript(file: string): boolean {
	return /\.[cm]?tsx?$/.test(file);
}

function sucrase(code: string, file: string, transforms: Transform[]): string {
	try {
		return transform(code, {
			transforms,
			filePath: file,
			production: true,
			jsxRuntime: 'automatic',
			disableESTransforms: true,
			preserveDynamicImport: true
		}).code;
	} catch (error) {
		throw syntaxError(error, file);
	}
}

/** Where a file stops being JavaScript, from a parser that says so; V8 does not for evaluated text. */
export function explainSyntaxError(error: SyntaxError, source: string, file: string): SyntaxError {
	try {
		transform(source, { transforms: [], filePath: file, disableESTransforms: true });
	} catch (parsed) {
		const located = syntaxError(parsed, file);
		return Object.assign(located, { message: error.message });
	}
	return Object.assign(error, { file });
}

function syntaxError(cause: unknown, file: string): SyntaxError {
	const text = cause instanceof Error ? cause.message : String(cause);
	const match = /^(?:Error transforming .*?: )?(.*?)(?: \((\d+):(\d+)\))?$/s.exec(text);
	const error = new SyntaxError(match?.[1] ?? text);
	return Object.assign(error, { file, line: Number(match?.[2] ?? 0), column: Number(match?.[3] ?? 0) });
}

/** Does a file without a declared type use `import`, `export` or `import.meta`? */
export function hasModuleSyntax(code: string): boolean {
	if (!/\b(import|export)\b/.test(code)) return false;
	try {
		return parse(code)[3];
	} catch {
		return false;
	}
}

/** CommonJS: only its dynamic imports are ours to do. */
export function prepareCommonJs(code: string): string {
	if (!/\bimport\b/.test(code)) return code;
	try {
		return rewrite(code, parse(code)[0]);
	} catch {
		return code;
	}
}

/** An ES module as the body of an async function: `require`, `exports` and the names above are its parameters. */
export function prepareEsModule(code: string, file: string): EsModuleSource {
	let imports: readonly Import[];
	let exports: readonly Export[];
	try {
		[imports, exports] = parse(code, file);
	} catch (error) {
		sucrase(code, file, ['imports']);
		throw error instanceof Error ? syntaxError(new Error(error.message), file) : error;
	}
	const statics = [...imports]
		.sort((a, b) => placeOf(a) - placeOf(b))
		.flatMap((entry) => (entry.type === 'static' || entry.type === 'reexport-star' ? [entry] : []));
	const listed = new Map<number, string[]>();
	for (const entry of exports) {
		if (entry.type !== 'direct' || !/^export\s+(const|let|var)\s+[^[{\s]/.test(code.slice(entry.exportStart))) continue;
		listed.set(entry.exportStart, [...(listed.get(entry.exportStart) ?? []), entry.name]);
	}
	const hoisted = exports.flatMap((entry) => hoistedFunction(code, entry));
	const marked = rewrite(separateLists(stripAttributes(code, imports), listed), imports) + exportLists(listed);
	// Marked, so that a program's own `require` is left alone.
	const body = sucrase(marked, file, ['imports']).replace(
		/\brequire\((['"])sandglass-import-(\d+)\1\)/g,
		`${REQUIRE}($2)`
	);
	return {
		code: `${hoisted.join('')} yield; ${body}`,
		original: code,
		firstLineLength: code.search(/\n|$/),
		imports: statics.map((entry) => ({
			specifier: entry.specifier,
			names: entry.type === 'static' ? importedNames(code.slice(entry.importStart, entry.importEnd)) : [],
			type: entry.attributes?.find(([key]) => key === 'type')?.[1] ?? null
		})),
		exports: exports.flatMap((entry) => (entry.type === 'reexport-all' ? [] : [entry.name])),
		stars: exports.flatMap((entry) => (entry.type === 'reexport-all' ? [entry.from] : [])),
		typescript: isTypeScript(file)
	};
}

function placeOf(entry: Import): number {
	return entry.type === 'dynamic' ? entry.importStart : entry.start;
}

/** Replaces by position: `import(` and `import.meta`, never text in strings or comments. */
function rewrite(code: string, imports: readonly Import[]): string {
	let result = '';
	let at = 0;
	let index = 0;
	for (const entry of [...imports].sort((a, b) => placeOf(a) - placeOf(b))) {
		const start = placeOf(entry);
		result += code.slice(at, start);
		if (entry.type === 'import-meta') {
			result += META;
			at = entry.end;
		} else if (entry.type !== 'dynamic') {
			result += `sandglass-import-${index++}`;
			at = entry.end;
		} else {
			result += IMPORT;
			at = start + 'import'.length;
		}
	}
	return result + code.slice(at);
}

/** `with { type: 'json' }` becomes spaces: the parser that rewrites imports does not know it everywhere. */
function stripAttributes(code: string, imports: readonly Import[]): string {
	let result = code;
	for (const entry of imports) {
		if (entry.type !== 'static' || entry.attributesStart < 0) continue;
		const from = result.lastIndexOf('with', entry.attributesStart);
		const to = result.indexOf('}', entry.attributesStart) + 1;
		if (from < 0 || to === 0) continue;
		result = result.slice(0, from) + result.slice(from, to).replace(/[^\n]/g, ' ') + result.slice(to);
	}
	return result;
}

/** `export const a = 1, b = 2` becomes a plain declaration: sucrase knows only one name in it. */
function separateLists(code: string, listed: Map<number, string[]>): string {
	let result = code;
	for (const [at, names] of listed) {
		if (names.length > 1) result = `${result.slice(0, at)}      ${result.slice(at + 'export'.length)}`;
	}
	return result;
}

function exportLists(listed: Map<number, string[]>): string {
	const names = [...listed.values()].filter((list) => list.length > 1).flat();
	return names.length > 0 ? `\n;export { ${names.join(', ')} };` : '';
}

/** Exported functions exist before the module runs, which modules that import each other rely on. */
function hoistedFunction(code: string, entry: Export): string[] {
	if (entry.type !== 'direct' || !entry.localName) return [];
	const before = code.slice(entry.exportStart, entry.localStart);
	if (!/^export\s+(default\s+)?(async\s+)?function\b\s*\*?\s*$/.test(before)) return [];
	return [`exports.${entry.name} = ${entry.localName};`];
}

function importedNames(statement: string): string[] {
	const braces = /\{([^}]*)\}/.exec(statement.replace(/\/\*.*?\*\/|\/\/.*/gs, ''));
	const named = (braces?.[1] ?? '').split(',').flatMap((part) => {
		const name = part
			.trim()
			.split(/\s+as\s+/)[0]
			?.trim();
		return name && !name.startsWith('"') && !name.startsWith("'") && !name.startsWith('type ') ? [name] : [];
	});
	const isDefault = /^import\s+(?!type\s)[\w$]+\s*(,|from)/.test(statement);
	return isDefault ? ['default', ...named] : named;
}
