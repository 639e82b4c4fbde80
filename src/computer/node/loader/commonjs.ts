import path from 'path';
import { invalidArgument, nodeError } from '../runtime/errors.ts';
import { rememberMap } from '../runtime/source-maps.ts';
import { compileFunction } from './evaluate.ts';
import type { AsyncContext } from './async-context.ts';
import { fileUrl, LoaderFiles, parent, pathOfUrl } from './files.ts';
import type { LoaderHooks } from './hooks.ts';
import type { Replacements } from './replacements.ts';
import type { Resolver } from './resolve.ts';
import { explainSyntaxError, hasModuleSyntax, IMPORT, prepareCommonJs, toJavaScript } from './transform.ts';

export interface RequireFunction {
	(id: string): unknown;
	resolve: ((id: string, options?: { paths?: string[] }) => string) & { paths(id: string): string[] | null };
	main: Module | undefined;
	extensions: Record<string, Extension>;
	cache: Record<string, Module>;
}

type Extension = (module: Module, filename: string) => void;

/** Operations on ES modules needed by CommonJS: requiring and importing one. */
export interface EsModuleLoader {
	requireSync(filename: string): unknown;
	import(specifier: string, from: string): Promise<unknown>;
	resolve(specifier: string, from: string): string;
}

/** Environment of the Module class. */
export interface CommonJsHost {
	resolver: Resolver;
	files: LoaderFiles;
	esm: EsModuleLoader;
	builtin(name: string): unknown;
	asyncContext: AsyncContext;
	hooks: LoaderHooks;
	/** Set while tests run. */
	replacements?: Replacements | undefined;
	main: Module | undefined;
}

/** CommonJS module: Node's own class, with the parts that libraries use. */
export class Module {
	static host: CommonJsHost;
	static readonly _cache: Record<string, Module> = Object.create(null);
	static readonly _pathCache: Record<string, string> = Object.create(null);
	static readonly globalPaths: string[] = [];
	static readonly Module = Module;
	static readonly _extensions: Record<string, Extension> = Object.assign(Object.create(null), {
		'.js': loadSource,
		'.json': loadJson,
		'.node': (_module: Module, filename: string) => {
			throw nodeError(Error, 'ERR_DLOPEN_FAILED', `${filename} is a native addon, which cannot run in a browser tab.`);
		}
	});
	/** Called by tools that start a program in their own process, with the file in `process.argv[1]`. */
	static runMain(main: string = process.argv[1] ?? ''): void {
		Module._load(path.resolve(main), null, true);
	}

	exports: unknown = {};
	filename: string | null = null;
	loaded = false;
	children: Module[] = [];
	paths: string[] = [];
	path: string;

	constructor(
		public id = '',
		public parent?: Module | null
	) {
		this.path = path.dirname(id);
		parent?.children.push(this);
	}

	/** Reads `NODE_PATH` and `HOME` from the environment again. */
	static _initPaths(env: Record<string, string | undefined> = process.env): void {
		const home = env['HOME'];
		const named = (env['NODE_PATH'] ?? '').split(':').filter((directory) => directory !== '');
		const paths = [...named, ...(home ? [`${home}/.node_modules`, `${home}/.node_libraries`] : [])];
		Module.globalPaths.splice(0, Infinity, ...paths);
		Module.host.resolver.globalPaths = Module.globalPaths;
	}

	static _nodeModulePaths(from: string): string[] {
		return Module.host.resolver.modulePaths(from);
	}

	/** Search paths for a name; `null` for a built-in module. */
	static _resolveLookupPaths(id: string, from?: Module | null): string[] | null {
		if (Module.host.resolver.builtin(id)) return null;
		if (/^\.{1,2}(\/|$)/.test(id)) return [from?.path ?? '.'];
		return [...(from?.paths ?? []), ...Module.globalPaths];
	}

	static _resolveFilename(id: string, from?: Module | null, _main?: boolean, options?: { paths?: string[] }): string {
		const { resolver } = Module.host;
		const origins = options?.paths?.map((directory) => path.resolve(directory, 'noop.js')) ?? [
			from?.filename ?? '/noop.js'
		];
		const stack: string[] = [];
		for (let at = from; at?.filename; at = at.parent) stack.push(at.filename);
		let failure: unknown;
		for (const origin of origins) {
			try {
				const found = resolver.resolve(hooked(id, origin), origin, 'require', stack);
				return found.startsWith('node:') && !id.startsWith('node:') ? id : found;
			} catch (error) {
				failure = error;
			}
		}
		throw failure;
	}

	/** Finds the file of a name in one of these directories; `false` if there is none. */
	static _findPath(id: string, paths: readonly string[] | null, _main?: boolean): string | false {
		const { resolver, files } = Module.host;
		for (const directory of path.isAbsolute(id) ? [''] : (paths ?? [])) {
			const found = resolver.findBelow(path.resolve(directory, id), id.endsWith('/'));
			if (found !== null) return files.realpath(found);
		}
		return false;
	}

	/** Loads modules before the program, as `--require` does. */
	static _preloadModules(ids: readonly string[]): void {
		const parent = new Module('internal/preload', null);
		parent.filename = `${process.cwd()}/[preload]`;
		parent.paths = Module._nodeModulePaths(process.cwd());
		for (const id of ids) parent.require(id);
	}

	static _load(id: string, from?: Module | null, main = false): unknown {
		const { host } = Module;
		const builtin = host.resolver.builtin(id);
		const filename = builtin ?? Module._resolveFilename(id, from, main);
		const replaced = from ? host.replacements?.find(filename, 'require') : undefined;
		if (replaced instanceof Promise) {
			throw nodeError(
				Error,
				'ERR_REQUIRE_ASYNC_MODULE',
				`${id} is replaced by what a promise gives: import it instead.`
			);
		}
		if (replaced) return replaced.value;
		// A module that a program has cached under the plain name of a built-in one replaces it.
		const instead = builtin !== undefined && !id.startsWith('node:') ? Module._cache[id] : undefined;
		if (instead) return instead.exports;
		if (builtin) return host.builtin(builtin.slice(5));
		if (filename.startsWith('node:')) return host.builtin(filename.slice(5));
		const cached = Module._cache[filename];
		if (cached) {
			if (from && !from.children.includes(cached)) from.children.push(cached);
			return cached.exports;
		}
		const module = new Module(filename, from);
		if (main) {
			host.main = module;
			Reflect.set(process, 'mainModule', module);
			module.id = '.';
		}
		return runCached(module, filename, () => module.load(filename));
	}

	/** Runs text that a hook returned for a file, which then counts as loaded. */
	static _loadText(filename: string, text: string): unknown {
		const cached = Module._cache[filename];
		if (cached) return cached.exports;
		const module = new Module(filename, null);
		module.filename = filename;
		module.paths = Module._nodeModulePaths(parent(filename));
		return runCached(module, filename, () => {
			module._compile(text, filename);
			module.loaded = true;
		});
	}

	require(id: string): unknown {
		if (typeof id !== 'string') throw invalidArgument('id', 'of type string', id);
		if (id === '') {
			throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'id' must be a non-empty string. Received ''`);
		}
		return Module._load(id, this);
	}

	load(filename: string): void {
		this.filename = filename;
		this.paths = Module._nodeModulePaths(parent(filename));
		const extension = Module._extensions[path.extname(filename)] ?? Module._extensions['.js'];
		extension?.(this, filename);
		this.loaded = true;
	}

	_compile(code: string, filename: string): unknown {
		if (isHooked(this) && hasModuleSyntax(code)) return void (this.exports = Module.host.esm.requireSync(filename));
		const source = code.startsWith('#!') ? `//${code}` : code;
		const require = createRequire(this);
		const dynamicImport = (specifier: unknown) => Module.host.esm.import(String(specifier), filename);
		rememberMap(filename, source, readIfThere);
		Module.host.asyncContext.saw(filename, source);
		let run;
		try {
			run = compileFunction(
				prepareCommonJs(Module.host.asyncContext.prepare(source, false)),
				filename,
				['exports', 'require', 'module', '__filename', '__dirname', IMPORT],
				'function'
			);
		} catch (error) {
			throw error instanceof SyntaxError ? explainSyntaxError(error, source, filename) : error;
		}
		return run.call(this.exports, this.exports, require, this, filename, parent(filename), dynamicImport);
	}
}

/** Loads a file of JSON. */
function loadJson(module: Module, filename: string): void {
	try {
		module.exports = JSON.parse(Module.host.files.read(filename));
	} catch (error) {
		if (error instanceof SyntaxError) error.message = `${filename}: ${error.message}`;
		throw error;
	}
}

/** Loads a file of code. Packages with a class of their own in place of {@link Module} call it too. */
function loadSource(module: Module, filename: string): void {
	const { files, esm } = Module.host;
	const source = files.read(filename);
	if (isHooked(module) && !isDeclaredModule(files, filename)) {
		module._compile(source, filename);
		return;
	}
	if (moduleFormat(files, filename, source, 'require') === 'module') {
		module.exports = esm.requireSync(filename);
		return;
	}
	const script = toJavaScript(source, filename, Module.host.replacements?.isMixed);
	module._compile(Module.host.replacements?.hoist(script, filename) ?? script, filename);
}

/** Returns whether a tool has installed its compiler before this one, like `ts-node`, `@babel/register` and `esm`. */
const isHooked = (module: Module): boolean => !(module instanceof Module) || Object.hasOwn(module, '_compile');

const OWN_EXTENSIONS = new Set(Object.values(Module._extensions));

/**
 * Returns whether a preloaded tool compiles a file instead of us, like `@babel/register` and `ts-node`. As in Node,
 * tools are not used for files that are declared as modules by their name or package.
 */
export function isCompiledByTool(files: LoaderFiles, filename: string): boolean {
	const extension = Module._extensions[path.extname(filename)];
	if (extension === undefined || OWN_EXTENSIONS.has(extension) || /\.m[jt]s$/.test(filename)) return false;
	return files.packageOf(filename)?.type !== 'module';
}

/** Runs a module that is cached from its first line on, unless it fails. */
function runCached(module: Module, filename: string, run: () => void): unknown {
	Module._cache[filename] = module;
	try {
		run();
	} catch (error) {
		delete Module._cache[filename];
		throw error;
	}
	return module.exports;
}

/** Result of the program's hooks for a specifier. */
function hooked(id: string, origin: string): string {
	const { hooks, resolver } = Module.host;
	if (hooks.isEmpty) return id;
	const context = { parentURL: fileUrl(origin), conditions: ['node', 'require'], importAttributes: {} };
	const { url } = hooks.resolve(id, context, (name) => ({ url: fileUrl(resolver.resolve(name, origin, 'require')) }));
	return pathOfUrl(url);
}

const readIfThere = (file: string) => {
	const { files } = Module.host;
	return files.isFile(file) ? files.read(file) : null;
};

/** Creates the `require` of one module. */
export function createRequire(module: Module): RequireFunction {
	const require = (id: string) => module.require(id);
	const resolve = (id: string, options?: { paths?: string[] }) => Module._resolveFilename(id, module, false, options);
	const paths = (id: string) => Module._resolveLookupPaths(id, module);
	return Object.assign(require, {
		resolve: Object.assign(resolve, { paths }),
		main: Module.host.main,
		extensions: Module._extensions,
		cache: Module._cache
	});
}

/** A tool's compiler is used for any other file: its output decides. */
function isDeclaredModule(files: LoaderFiles, filename: string): boolean {
	const extension = path.extname(filename);
	return /^\.m[jt]s$/.test(extension) || (extension === '.js' && files.packageOf(filename)?.type === 'module');
}

/**
 * Decides between CommonJS and ES module, by extension, `type` and, without either, by the content of the file.
 * @param asked whether `type` applies to a file without an extension, which it does if it is imported or started, but
 * not if it is required
 */
export function moduleFormat(
	files: LoaderFiles,
	filename: string,
	source: string,
	asked: 'require' | 'import' = 'import'
): 'commonjs' | 'module' {
	const extension = path.extname(filename);
	if (extension === '.mjs' || extension === '.mts') return 'module';
	if (extension === '.cjs' || extension === '.cts' || extension === '.json') return 'commonjs';
	if (asked === 'import' || /^\.[jt]sx?$/.test(extension)) {
		const type = files.packageOf(filename)?.type;
		if (type === 'module' || type === 'commonjs') return type;
	}
	if (filename.includes('/node_modules/') && extension === '.js') return 'commonjs';
	return hasModuleSyntax(source) ? 'module' : 'commonjs';
}
