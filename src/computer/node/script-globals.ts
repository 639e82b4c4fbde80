import path from 'path';
import { Module } from './loader/commonjs.ts';
import { IMPORT } from './loader/transform.ts';
import type { NodeInstance } from './instance.ts';
import { defineLibraryGlobals } from './modules/repl/library-globals.ts';

const MODULES =
	'assert async_hooks buffer child_process cluster constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib'.split(
		' '
	);

/** Creates a module for a path that is not a file. */
function anchored(file: string): Module {
	const module = new Module(file);
	module.filename = file;
	module.paths = Module._nodeModulePaths(path.dirname(file));
	return module;
}

/**
 * Defines the globals of a script in the global scope, from `-e`, a pipe or the prompt: `require`, and Node's modules
 * by name.
 *
 * @param name name of the text, e.g. `[eval]`
 */
export function defineScriptGlobals({ runtime, host }: NodeInstance, name: string): void {
	const file = `${runtime.process.cwd()}/${name}`;
	const module = anchored(file);
	const globals = {
		require: Object.assign((id: string) => module.require(id), {
			resolve: (id: string) => Module._resolveFilename(id, module),
			cache: Module._cache
		}),
		module,
		exports: module.exports,
		__filename: name,
		__dirname: '.',
		[IMPORT]: (specifier: unknown) => host.esm.import(String(specifier), file)
	};
	for (const [key, value] of Object.entries(globals)) {
		Object.defineProperty(globalThis, key, { value, writable: true, configurable: true });
	}
	defineLibraryGlobals(globalThis, MODULES, (name) => host.builtin(name));
}
