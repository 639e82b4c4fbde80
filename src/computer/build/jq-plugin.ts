import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { madeAssets } from './asset-plugin.ts';

const LOADER = 'virtual:jq-loader';

const fromPackage = createRequire(import.meta.url);

/** Makes `import url from 'virtual:jq-module'` return the URL of jq's WebAssembly module. */
export const jqModule = (): Plugin =>
	madeAssets('sandglass:jq', {
		'virtual:jq-module': {
			served: '/@asset/jq.wasm',
			type: 'application/wasm',
			load: () => readFile(fromPackage.resolve('jq-wasm/jq.wasm'))
		}
	});

/** Makes `import start from 'virtual:jq-loader'` return Emscripten's loader, in the bundle of the program. */
export function jqLoader(): Pick<Plugin, 'name' | 'resolveId' | 'load'> {
	return {
		name: 'sandglass:jq-loader',
		resolveId: (source) => (source === LOADER ? `\0${LOADER}` : null),
		load: (id) => (id === `\0${LOADER}` ? cutLoader() : null)
	};
}

/**
 * Extracts Emscripten's loader from the package's script. It exposes its file system and environment before the program
 * starts, in place of the package's own streams.
 */
function cutLoader(): string {
	const script = readFileSync(fromPackage.resolve('jq-wasm'), 'utf8');
	const [, factory] = /var jq = (\(\(\) => \{.+?\}\)\(\));\s+if \(typeof exports/s.exec(script) ?? [];
	const [before, rest = ''] = (factory ?? '').split('Module = { ...Module, noInitialRun: true,');
	const [, after] = rest.split('whenReady: runtimeInitPromise };');
	if (!before || !after) throw new Error('The script of jq-wasm is another than this plugin knows.');
	return [
		'const __publicField = (object, name, value) => { object[name] = value; };',
		`const jq = ${before}`,
		'Module = { ...Module, noInitialRun: true, noExitRuntime: true, preRun() { moduleArg.prepare(FS, ENV); } };',
		`${after};`,
		'export default jq;'
	].join('\n');
}
