import { createRequire as requireOf, Module } from '../loader/commonjs.ts';
import type { LoadHook, ResolveHook } from '../loader/hooks.ts';
import { HooksThread, type ThreadModule } from '../loader/hooks-thread.ts';
import { SERVE, serveHooks } from '../loader/hooks-server.ts';
import { invalidArgument, invalidValue } from '../runtime/errors.ts';
import { boolean, plainObject } from '../runtime/validate.ts';
import { rawMapOf } from '../runtime/source-maps.ts';
import { SourceMap } from './source-map.ts';
import { stripTypeScriptTypes } from './strip-types.ts';
import { fileURLToPath } from './file-url.ts';

interface RegisterOptions {
	parentURL?: string | URL;
	data?: unknown;
	transferList?: Transferable[];
}

/** `node:module`: the loader's own class. */
export function createModule(names: string[], get: (name: string) => unknown): unknown {
	let thread: HooksThread | undefined;
	const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
	const prefixed = ['sea', 'sqlite', 'test', 'test/reporters'];
	const builtinModules = Object.freeze([...new Set(names)].filter((name) => !prefixed.includes(name)).sort());
	const isPlain = (name: string) => names.includes(name) && !prefixed.includes(name);
	return Object.assign(Module, {
		Module,
		builtinModules,
		isBuiltin: (name: unknown) =>
			typeof name === 'string' && (name.startsWith('node:') ? names.includes(name.slice(5)) : isPlain(name)),
		_stat(file: string): number {
			const { files } = Module.host;
			return files.isFile(file) ? 0 : files.isDirectory(file) ? 1 : -2;
		},
		createRequire: (from: string | URL) => {
			const isUrl = from instanceof URL || (typeof from === 'string' && from.startsWith('file:'));
			if (!isUrl && !(typeof from === 'string' && from.startsWith('/'))) {
				const words = 'must be a file URL object, file URL string, or absolute path string';
				throw invalidValue('filename', from, words);
			}
			const file = isUrl ? fileURLToPath(from) : from;
			const module = new Module(file);
			module.filename = file;
			module.paths = Module._nodeModulePaths(module.path);
			return requireOf(module);
		},
		register: (specifier: string | URL, parent?: unknown, options?: RegisterOptions) => {
			thread ??= new HooksThread(get('worker_threads') as ThreadModule, Module.host.hooks);
			const isPlace = typeof parent === 'string' || parent instanceof URL;
			const { parentURL, data, transferList } = (isPlace ? options : (parent as RegisterOptions)) ?? {};
			const from = String((isPlace ? parent : parentURL) ?? 'data:');
			thread.register(String(specifier), from, data, transferList ?? []);
		},
		registerHooks: ({ resolve, load }: { resolve?: unknown; load?: unknown } = {}) => {
			for (const [name, hook] of Object.entries({ resolve, load })) {
				if (hook !== undefined && typeof hook !== 'function')
					throw invalidArgument(`hooks.${name}`, 'of type function', hook);
			}
			const deregister = Module.host.hooks.add({
				resolve: resolve as ResolveHook | undefined,
				load: load as LoadHook | undefined
			});
			return { deregister };
		},
		findPackageJSON: (_specifier: string, base: string) => {
			const found = Module.host.files.packageOf(base.startsWith('file:') ? fileURLToPath(base) : base);
			return found ? `${found.directory}/package.json` : undefined;
		},
		enableCompileCache: () => ({ status: 3 }),
		SourceMap,
		findSourceMap(file: string) {
			const raw = rawMapOf(file.startsWith('file:') ? fileURLToPath(file) : file);
			return raw && new SourceMap(raw);
		},
		...sourceMapSupport(),
		stripTypeScriptTypes,
		syncBuiltinESMExports: () => undefined,
		flushCompileCache: () => undefined,
		getCompileCacheDir: () => undefined,
		[SERVE]: serveHooks,
		constants: { compileCacheStatus: { FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 } },
		wrapper,
		wrap: (code: string) => `${wrapper[0]}${code}${wrapper[1]}`
	});
}

/** Settings for source maps. Stacks are always mapped here: what is set is only what can be asked for. */
function sourceMapSupport(): Record<string, unknown> {
	const settings = { __proto__: null, enabled: false, nodeModules: false, generatedCode: false };
	return {
		getSourceMapsSupport: () => Object.freeze({ ...settings, __proto__: null }),
		setSourceMapsSupport(enabled: unknown, options: { nodeModules?: unknown; generatedCode?: unknown } = {}) {
			boolean(enabled, 'enabled');
			plainObject(options, 'options');
			const { nodeModules = false, generatedCode = false } = options;
			boolean(nodeModules, 'options.nodeModules');
			boolean(generatedCode, 'options.generatedCode');
			Object.assign(settings, { enabled, nodeModules, generatedCode });
		}
	};
}
