import { parse, type Export, type Import } from 'es-module-lexer/js';
import { transform, type Transform } from 'sucrase';
import { withoutExports, type Passed } from './exports.ts';

/** Names used by the rewritten source; programs do not use them. */
export const IMPORT = '__sandglass_import';
export const META = '__sandglass_meta';
/** Position at which the functions are defined and nothing has run: `yield` in a module without top-level await. */
export const HOISTED = '/*hoisted*/';
/** Promise that the body of a module with top-level await waits for at that position. */
export const READY = '__sandglass_ready';
export const REQUIRE = '__sandglass_require';
/** Returns its argument: functions returned by a call are called without `this`. */
export const SELF = '__sandglass_self';

/** Text that looks like the start of an element or a fragment. */
const ELEMENT = /[(=?:&|,>\s]<(?:[A-Za-z][^<>]*>|>)|<\/|\/>/;

export interface EsModuleSource {
	code: string;
	/** JavaScript before imports were rewritten, and the length of its first line. */
	original: string;
	firstLineLength: number;
	/** Static dependencies in order, with attributes. */
	imports: { specifier: string; names: string[]; type: string | null }[];
	exports: string[];
	/** Names re-exported from other modules. */
	passed: Passed[];
	/** Modules from which all exports are re-exported. */
	stars: string[];
	/** Set if some code runs before the imports, as in tests: it is placed before {@link HOISTED}. */
	early: boolean;
	typescript: boolean;
}

/** @param isMixed plain JavaScript may contain JSX, as in projects whose tests Babel compiles */
const languages = (file: string, isMixed: boolean): Transform[] => [
	...(/\.[cm]?tsx?$/.test(file) ? (['typescript'] as const) : []),
	...(/\.[jt]sx$/.test(file) || (isMixed && /\.[cm]?js$/.test(file)) ? (['jsx'] as const) : [])
];

/**
 * Converts TypeScript and JSX to JavaScript on the same lines, preserving imports. Throws SyntaxError with the
 * position.
 */
export function toJavaScript(source: string, file: string, isMixed = false): string {
	const code = source.startsWith('#!') ? `//${source}` : source;
	const transforms = languages(file, isMixed && ELEMENT.test(source) && !file.includes('/node_modules/'));
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

/** Locates a syntax error with a parser that reports positions; V8 does not for evaluated text. */
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

/** Returns whether a file without a declared type uses `import`, `export` or `import.meta`. */
export function hasModuleSyntax(code: string): boolean {
	if (!/\b(import|export)\b/.test(code)) return false;
	try {
		return parse(code)[3];
	} catch {
		// JSX elements are not JavaScript yet, and may prevent parsing.
		return ELEMENT.test(code) && /^(import\s*[\w{*'"]|export\s+[\w{*])/m.test(code);
	}
}

/** Prepares CommonJS: only its dynamic imports have to be rewritten. */
export function prepareCommonJs(code: string): string {
	if (!/\bimport\b/.test(code)) return code;
	try {
		return rewrite(code, parse(code)[0]);
	} catch {
		return code;
	}
}

/**
 * Converts an ES module to the body of an async function: `require`, `exports` and the names above are its parameters.
 */
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
	const own = withoutExports(code, exports);
	// Indexes of real imports: the others were re-exports, and are no longer in the text.
	const indexes = statics.flatMap((entry, index) => (code.startsWith('import', entry.importStart) ? [index] : []));
	const names: string[] = [];
	const marked = rewrite(own.code, parse(own.code, file)[0], indexes, names);
	const early = marked.includes(HOISTED);
	const mark = early ? '' : HOISTED;
	const body = sucrase(`${own.head}${mark}${marked}`, file, ['imports'])
		// Our namespaces need no interop wrappers.
		.replace(/(?<!function )\b_interopRequire(?:Wildcard|Default)\d*\((\w+)\)/g, '$1')
		// An imported function may have no `call` of its own, like unified's processors.
		.replace(/\b(_sandglassimport\d+[\w$]*\.[\w$]+)\.call\(void 0, /g, `${SELF}($1)(`)
		// Marked, so that a program's own `require` is unaffected.
		.replace(/\brequire\((['"])sandglass-import-(\d+)\1\)/g, `${REQUIRE}($2)`)
		.replace(/\.__sandglass_name_(\d+)_/g, (_all, index: string) => `[${JSON.stringify(names[Number(index)])}]`);
	return {
		code: body,
		original: code,
		firstLineLength: code.search(/\n|$/),
		imports: statics.map((entry) => ({
			specifier: entry.specifier,
			names: entry.type === 'static' ? importedNames(code.slice(entry.importStart, entry.importEnd)) : [],
			type: entry.attributes?.find(([key]) => key === 'type')?.[1] ?? null
		})),
		exports: own.names,
		passed: own.passed,
		stars: own.stars,
		early,
		typescript: isTypeScript(file)
	};
}

function placeOf(entry: Import): number {
	return entry.type === 'dynamic' ? entry.importStart : entry.start;
}

/**
 * Replaces `import(`, `import.meta` and import names by position, never text in strings or comments.
 * @param indexes indexes of the static imports, in order
 * @param names receives names that are strings, which the parser that rewrites imports does not support
 */
function rewrite(code: string, imports: readonly Import[], indexes: number[] = [], names: string[] = []): string {
	let result = '';
	let at = 0;
	let index = 0;
	for (const entry of [...imports].sort((a, b) => placeOf(a) - placeOf(b))) {
		const start = placeOf(entry);
		if (entry.type === 'import-meta') {
			result += code.slice(at, start) + META;
			at = entry.end;
		} else if (entry.type === 'dynamic') {
			result += code.slice(at, start) + IMPORT;
			at = start + 'import'.length;
		} else {
			const list = code
				.slice(entry.importStart, start)
				.replace(/(['"])((?:(?!\1).)+)\1(?=\s*as\b)/g, (_all, _quote, name: string) => {
					names.push(name);
					return `__sandglass_name_${names.length - 1}_`;
				});
			result += `${code.slice(at, entry.importStart)}${list}sandglass-import-${indexes[index++]}`;
			at = entry.end;
			if (entry.attributesStart < 0) continue;
			// `with { type: 'json' }` is replaced by spaces.
			const close = code.indexOf('}', entry.attributesStart) + 1;
			result += code.slice(at, code.lastIndexOf('with', entry.attributesStart));
			result += code.slice(code.lastIndexOf('with', entry.attributesStart), close).replace(/[^\n]/g, ' ');
			at = close;
		}
	}
	return result + code.slice(at);
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
