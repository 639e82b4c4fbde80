import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';
import { madeAssets } from './asset-plugin.ts';

const BINDINGS = 'virtual:brotli-bindings';
const IMPORT = "import * as wasm from './brotli_wasm_bg.wasm';";

/** Files that the package has for bundlers but does not export. */
const part = (name: string) =>
	path.join(path.dirname(createRequire(import.meta.url).resolve('brotli-wasm')), 'pkg.bundler', name);

/** Makes `import url from 'virtual:brotli-module'` return the URL of Brotli's WebAssembly module. */
export const brotliModule = (): Plugin =>
	madeAssets('sandglass:brotli', {
		'virtual:brotli-module': {
			served: '/@asset/brotli.wasm',
			type: 'application/wasm',
			load: () => readFile(part('brotli_wasm_bg.wasm'))
		}
	});

/** Makes `import * as brotli from 'virtual:brotli-bindings'` return its functions, which need `useModule` first. */
export function brotliBindings(): Pick<Plugin, 'name' | 'resolveId' | 'load'> {
	return {
		name: 'sandglass:brotli-bindings',
		resolveId: (source) => (source === BINDINGS ? `\0${BINDINGS}` : null),
		load: (id) => (id === `\0${BINDINGS}` ? bindings() : null)
	};
}

/** Replaces the import in the package's script, which bundlers would resolve later, by a call. */
function bindings(): string {
	const script = readFileSync(part('brotli_wasm_bg.js'), 'utf8');
	if (!script.includes(IMPORT)) throw new Error('The script of brotli-wasm is another than this plugin knows.');
	const call = `let wasm;
export function useModule(module, bindings) {
	wasm = new WebAssembly.Instance(module, { './brotli_wasm_bg.js': bindings }).exports;
}`;
	return script
		.replace(IMPORT, call)
		.replace("(0, module.require)('util').TextDecoder", 'undefined')
		.replace("(0, module.require)('util').TextEncoder", 'undefined');
}
