import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const MODULE = 'virtual:jq-module';
const LOADER = 'virtual:jq-loader';
const SERVED = '/@asset/jq.wasm';

const fromPackage = createRequire(import.meta.url);

/** `import url from 'virtual:jq-module'` gives the address of jq's WebAssembly module. */
export function jqModule(): Plugin {
	let building = false;
	return {
		name: 'sandglass:jq',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
		load(id) {
			if (id !== `\0${MODULE}`) return null;
			if (!building) return `export default ${JSON.stringify(SERVED)};`;
			const reference = this.emitFile({ type: 'asset', name: 'jq.wasm', source: readModule() });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if ((request.url ?? '').split('?')[0] !== SERVED) return next();
				response.setHeader('Content-Type', 'application/wasm');
				response.end(readModule());
			});
		}
	};
}

/** `import start from 'virtual:jq-loader'` gives Emscripten's loader, in the bundle of the program. */
export function jqLoader(): Pick<Plugin, 'name' | 'resolveId' | 'load'> {
	return {
		name: 'sandglass:jq-loader',
		resolveId: (source) => (source === LOADER ? `\0${LOADER}` : null),
		load: (id) => (id === `\0${LOADER}` ? cutLoader() : null)
	};
}

/** jq's WebAssembly module, as the package has it. */
function readModule(): Buffer {
	return readFileSync(fromPackage.resolve('jq-wasm/jq.wasm'));
}

/**
 * Cuts Emscripten's loader out of the package's script. It hands out its file system and environment before the program
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
