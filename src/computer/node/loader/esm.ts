import type { EsModule, Dependency } from './es-module.ts';
import { rememberMap } from '../runtime/source-maps.ts';
import { nodeError } from '../runtime/errors.ts';
import { bodyKind, markHoisted } from './await.ts';
import type { AsyncContext } from './async-context.ts';
import { EXPORT } from './exports.ts';
import { compileFunction, type FunctionKind } from './evaluate.ts';
import { Module, moduleFormat, type CommonJsHost } from './commonjs.ts';
import { fileUrl, type LoaderFiles, parent, pathOfUrl } from './files.ts';
import { type Loaded, type LoaderHooks, textOf } from './hooks.ts';
import {
	checkNames,
	commonJsNamespace,
	emptyNamespace,
	exportName,
	nameExports,
	passOn,
	requiredModule
} from './namespace.ts';
import type { Replacements } from './replacements.ts';
import type { Resolver } from './resolve.ts';
import type { PreparedModules } from './prepared-modules.ts';
import { explainSyntaxError, IMPORT, META, READY, REQUIRE, SELF, toJavaScript } from './transform.ts';

/** Files that are code: by their extension, or without one. */
const CODE = /(\.[cm]?[jt]sx?|\.node|\/[^./]*|^data:.*)$/;

/** Queries that bundlers treat as options instead of part of the name. */
const AS_TEXT = /^\?(raw|url|inline|react|component)\b/;

interface EsModulesHost {
	files: LoaderFiles;
	resolver: Resolver;
	builtin(name: string): unknown;
	asyncContext: AsyncContext;
	prepared: PreparedModules;
	hooks: LoaderHooks;
	/** Set while tests run. */
	replacements?: Replacements | undefined;
	hold<Result>(promise: Promise<Result>): Promise<Result>;
}

/** State shared by both kinds of modules, with their loaders. */
export interface LoaderHost extends CommonJsHost {
	esm: EsModules;
}

/**
 * Loads graphs of ES modules: all files are first read and linked, then run depth first. A module with top-level await
 * only delays what depends on it.
 */
export class EsModules {
	readonly #modules = new Map<string, EsModule>();
	readonly #foreign = new Map<string, Dependency>();
	mainFile: string | null = null;

	constructor(readonly host: EsModulesHost) {}

	isEsModule(file: string, source: string): boolean {
		return moduleFormat(this.host.files, file, source) === 'module';
	}

	/** `import()` from a file: resolves with the namespace once everything has run. */
	async import(specifier: string, from: string, fromUrl = fileUrl(from)): Promise<unknown> {
		const dependency = this.#dependency(specifier, from, null, fromUrl);
		const replaced = await this.#replaced(dependency);
		return replaced ? replaced.value : this.#load(dependency);
	}

	/** Loads the module at a path, ignoring replacements. */
	async actual(target: string): Promise<unknown> {
		return this.#load(this.#dependency(target, target, null, fileUrl(target)));
	}

	/** Makes later imports evaluate modules again. */
	forget(): void {
		this.#modules.clear();
		this.#foreign.clear();
	}

	async #load(dependency: Dependency): Promise<unknown> {
		if (dependency.kind === 'foreign') return this.#namespaceOf(dependency);
		const pending = this.evaluate(dependency.module);
		if (pending) await this.host.hold(pending);
		return dependency.module.namespace;
	}

	/** `require()` of an ES module, which must not use top-level await. */
	requireSync(file: string): unknown {
		const module = this.link(file, '');
		if (this.evaluate(module)) {
			throw nodeError(
				Error,
				'ERR_REQUIRE_ASYNC_MODULE',
				`require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, look in ${file}.`
			);
		}
		return requiredModule(module.namespace);
	}

	/** Reads a file and everything it imports. Throws for missing or malformed modules before anything runs. */
	link(file: string, query: string, text?: string): EsModule {
		const url = fileUrl(file) + query;
		const known = this.#modules.get(url);
		if (known) return known;
		const written = text ?? this.host.files.read(file);
		const script = toJavaScript(written, file, this.host.replacements?.isMixed);
		const source = this.host.prepared.prepare(this.host.replacements?.hoist(script, file) ?? script, file);
		this.host.asyncContext.saw(file, written);
		rememberMap(url, written, (name) => (this.host.files.isFile(name) ? this.host.files.read(name) : null));
		const module: EsModule = {
			url,
			file,
			source,
			namespace: emptyNamespace(),
			dependencies: new Map(),
			state: 'linked',
			pending: null,
			failure: null,
			body: null
		};
		this.#modules.set(url, module);
		try {
			for (const { specifier, type } of source.imports) {
				module.dependencies.set(specifier, this.#dependency(specifier, file, type, url));
			}
			nameExports(module);
			checkNames(module);
		} catch (error) {
			this.#modules.delete(url);
			throw error;
		}
		return module;
	}

	/** Runs a module after its dependencies. Returns a promise only if something has to be awaited. */
	evaluate(module: EsModule): Promise<void> | null {
		if (module.failure) throw module.failure.error;
		if (module.state !== 'linked') return module.pending;
		module.state = 'evaluating';
		module.body = this.#begin(module);
		const waiting: Promise<void>[] = [];
		try {
			for (const { specifier } of module.source.imports) {
				const dependency = module.dependencies.get(specifier);
				const replaced = dependency && this.#replaced(dependency);
				if (replaced) {
					if (replaced instanceof Promise) waiting.push(replaced.then(() => undefined));
					continue;
				}
				if (dependency?.kind === 'foreign') this.#namespaceOf(dependency);
				const pending = dependency?.kind === 'module' ? this.evaluate(dependency.module) : null;
				if (pending) waiting.push(pending);
			}
			const running = waiting.length > 0 ? Promise.all(waiting).then(() => this.#run(module)) : this.#run(module);
			if (!running) return null;
			module.pending = running.then(
				() => void (module.pending = null),
				(error: unknown) => {
					module.failure = { error };
					throw error;
				}
			);
			return module.pending;
		} catch (error) {
			module.failure = { error };
			throw error;
		}
	}

	/**
	 * Compiles a body and runs it up to the point where its exported functions exist: modules in a cycle may call them
	 * early.
	 */
	#begin(module: EsModule): () => Promise<void> | null {
		const require = (index: number) => {
			const specifier = module.source.imports[index]?.specifier ?? '';
			return this.#namespaceOf(module.dependencies.get(specifier) ?? missing(specifier));
		};
		const importFrom = (specifier: unknown) => this.import(String(specifier), module.file, module.url);
		const code = this.host.asyncContext.prepare(module.source.code, true);
		const kind = bodyKind(code);
		const start = compile(module, code, kind);
		const tell = (name: string, get: () => unknown) => exportName(module.namespace, name, get);
		let ready: (() => void) | undefined;
		const dependenciesHaveRun = new Promise<void>((resolve) => (ready = resolve));
		const self = (value: unknown) => value;
		const run = () => start(tell, require, importFrom, this.#meta(module), dependenciesHaveRun, self);
		if (kind === 'async function' && !module.source.early) return () => run() as Promise<void>;
		if (kind === 'async function') {
			const running = run() as Promise<void>;
			running.catch(() => {
				// Importers of the module receive the failure.
			});
			return () => {
				ready?.();
				return running;
			};
		}
		const body = run() as Generator;
		body.next();
		return () => {
			body.next();
			return null;
		};
	}

	/** Runs one body; returns `null` without top-level await. */
	#run(module: EsModule): Promise<void> | null {
		passOn(module, (dependency) => this.#namespaceOf(dependency) as object);
		const pending = module.body?.() ?? null;
		module.body = null;
		if (!pending) {
			module.state = 'done';
			return null;
		}
		return pending.then(() => void (module.state = 'done'));
	}

	#dependency(specifier: string, from: string, type: string | null, fromUrl: string): Dependency {
		const { hooks } = this.host;
		let format: string | null | undefined;
		if (!hooks.isEmpty) {
			const importAttributes: Record<string, string> = type === null ? {} : { type };
			const context = { parentURL: fromUrl, conditions: ['node', 'import'], importAttributes };
			const found = hooks.resolve(specifier, context, (name) => ({ url: this.resolve(name, from) }));
			({ url: specifier, format } = found);
			if (hooks.load) return this.#hooked(specifier, format, importAttributes);
		}
		return this.#own(specifier, from, type);
	}

	/** Dependency that the loader itself finds for a specifier. */
	#own(specifier: string, from: string, type: string | null): Dependency {
		if (specifier.startsWith('data:')) return this.#dataModule(specifier);
		const target = this.host.resolver.resolve(specifier, from, 'import');
		const query = queryOf(specifier);
		if (target.startsWith('node:')) {
			return this.#foreignModule(target, () => commonJsNamespace(this.host.builtin(target.slice(5))));
		}
		if (target.endsWith('.json')) {
			if (type !== 'json' && !this.#isLenient) throw needsAttribute(target);
			return this.#foreignModule(target, () => commonJsNamespace(Module._load(target), false));
		}
		if (this.host.hooks.isEmpty && (!CODE.test(target) || (this.host.replacements && AS_TEXT.test(query)))) {
			return this.#foreignModule(target + query, () => {
				throw unknownExtension(target);
			});
		}
		if (this.isEsModule(target, this.host.files.read(target))) {
			return { kind: 'module', module: this.link(target, query) };
		}
		return this.#foreignModule(target, () => commonJsNamespace(Module._load(target)));
	}

	/** Dependency on a module whose text may come from the program's hooks. */
	#hooked(url: string, format: string | null | undefined, importAttributes: Record<string, string>): Dependency {
		const linked = this.#modules.get(url);
		if (linked) return { kind: 'module', module: linked };
		const foreign = this.#foreign.get(url);
		if (foreign) return foreign;
		const context = {
			format: format ?? formatOf(this.host.files, url),
			conditions: ['node', 'import'],
			importAttributes
		};
		const loaded = this.host.hooks.loaded(url, context, (address, given) =>
			readModule(this.host.files, address, given)
		);
		const text = textOf(loaded.source);
		const file = pathOfUrl(url);
		switch (loaded.format) {
			case 'module':
			case 'module-typescript':
				return { kind: 'module', module: this.link(file, queryOf(url), text ?? undefined) };
			case 'json':
				return this.#foreignModule(url, () => commonJsNamespace(JSON.parse(text ?? 'null'), false));
			case 'commonjs':
			case 'commonjs-typescript':
				if (text === null) return this.#foreignModule(url, () => commonJsNamespace(Module._load(file)));
				return this.#foreignModule(url, () => commonJsNamespace(Module._loadText(file, toJavaScript(text, file))));
			case 'builtin':
				return this.#own(url, '/', null);
			default:
				throw unknownFormat(loaded, url);
		}
	}

	/** Set for test runners and projects with aliases: bundlers and compilers import JSON without an attribute. */
	get #isLenient(): boolean {
		return this.host.replacements !== undefined || this.host.resolver.rename !== null;
	}

	/** Returns the URL of an imported module: `file:` with the specified query, `data:` or `node:`. */
	resolve(specifier: string, from: string): string {
		if (specifier.startsWith('data:')) return specifier;
		return fileUrl(this.host.resolver.resolve(specifier, from, 'import')) + queryOf(specifier);
	}

	#dataModule(specifier: string): Dependency {
		return { kind: 'module', module: this.link(specifier, '', dataText(specifier)) };
	}

	#foreignModule(url: string, load: () => unknown): Dependency {
		const known = this.#foreign.get(url);
		if (known) return known;
		const made: Dependency = { kind: 'foreign', url, load };
		this.#foreign.set(url, made);
		return made;
	}

	/** Replacement made by a test, created now if needed. */
	#replaced(dependency: Dependency) {
		const target = dependency.kind === 'module' ? dependency.module.file : dependency.url;
		return this.host.replacements?.find(target, 'import');
	}

	#namespaceOf(dependency: Dependency): unknown {
		const replaced = this.#replaced(dependency);
		if (replaced && !(replaced instanceof Promise)) return replaced.value;
		if (dependency.kind === 'module') return dependency.module.namespace;
		dependency.namespace ??= dependency.load();
		return dependency.namespace;
	}

	#meta(module: EsModule): object {
		const meta: Record<string, unknown> = Object.create(null);
		return Object.assign(meta, this.host.replacements?.meta, {
			dirname: parent(module.file),
			filename: module.file,
			main: module.file === this.mainFile,
			resolve: (specifier: string) => this.resolve(specifier, module.file),
			url: module.url
		});
	}
}

function compile(module: EsModule, code: string, kind: FunctionKind) {
	const { url, source, file } = module;
	try {
		const parameters = [EXPORT, REQUIRE, IMPORT, META, READY, SELF];
		return compileFunction(
			`"use strict"; ${markHoisted(code, kind, source.early)}`,
			url,
			parameters,
			kind,
			source.firstLineLength
		);
	} catch (error) {
		throw error instanceof SyntaxError ? explainSyntaxError(error, source.original, file) : error;
	}
}

/** Query of a specifier: the same file with another query is a different module. */
function queryOf(specifier: string): string {
	return (/^(\.|\/|file:)/.test(specifier) ? /[?#].*$/s : /\?.*$/s).exec(specifier)?.[0] ?? '';
}

function dataText(url: string): string {
	const match = /^data:text\/javascript(;[^,]*)?,(.*)$/s.exec(url);
	if (!match) throw nodeError(TypeError, 'ERR_UNKNOWN_MODULE_FORMAT', `Unknown module format in ${url.slice(0, 40)}`);
	return match[1]?.includes('base64') ? atob(match[2] ?? '') : decodeURIComponent(match[2] ?? '');
}

/** Format of a module as passed to hooks: that of the file, if the URL is one of a file. */
export function formatOf(files: LoaderFiles, url: string): string | undefined {
	if (url.startsWith('node:')) return 'builtin';
	if (url.startsWith('data:')) return 'module';
	if (!url.startsWith('file:')) return undefined;
	const file = pathOfUrl(url);
	if (file.endsWith('.json')) return 'json';
	if (!CODE.test(file)) return undefined;
	return files.isFile(file) ? moduleFormat(files, file, files.read(file)) : undefined;
}

/** Reads a module as the loader itself does, as the last `load` hook. CommonJS reads its own files. */
export function readModule(
	files: LoaderFiles,
	url: string,
	{ format }: { format?: string | null | undefined }
): Loaded {
	const known = format ?? formatOf(files, url);
	if (known === 'builtin' || known === 'commonjs') return { format: known, source: null };
	if (url.startsWith('data:')) return { format: known, source: dataText(url) };
	if (!url.startsWith('file:'))
		throw nodeError(
			Error,
			'ERR_UNSUPPORTED_ESM_URL_SCHEME',
			`Only URLs with a scheme in: file, data, and node are supported by the default ESM loader. Received protocol '${/^[^:]*:/.exec(url)?.[0] ?? url}'`
		);
	const file = pathOfUrl(url);
	if (known === undefined) throw unknownExtension(file);
	return { format: known, source: files.read(file) };
}

function unknownFormat({ format }: Loaded, url: string): Error {
	return nodeError(RangeError, 'ERR_UNKNOWN_MODULE_FORMAT', `Unknown module format: ${String(format)} for URL ${url}`);
}

function missing(specifier: string): never {
	throw nodeError(Error, 'ERR_MODULE_NOT_FOUND', `Cannot find module '${specifier}'`);
}

function unknownExtension(target: string): Error {
	const extension = /\.[^./]*$/.exec(target)?.[0] ?? '';
	return nodeError(TypeError, 'ERR_UNKNOWN_FILE_EXTENSION', `Unknown file extension "${extension}" for ${target}`);
}

function needsAttribute(target: string): Error {
	return nodeError(
		TypeError,
		'ERR_IMPORT_ATTRIBUTE_MISSING',
		`Module "${fileUrl(target)}" needs an import attribute of "type: json"`
	);
}
