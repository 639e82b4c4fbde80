import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const MODULE = 'virtual:jq-module';
const LOADER = 'virtual:jq-loader';
const SERVED = '/@asset/jq.wasm';

/**
 * `import url from 'virtual:jq-module'` gives the address of jq's WebAssembly module, which the package carries as
 * base64 inside a script.
 */
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
			const reference = this.emitFile({ type: 'asset', name: 'jq.wasm', source: splitScript().module });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if ((request.url ?? '').split('?')[0] !== SERVED) return next();
				response.setHeader('Content-Type', 'application/wasm');
				response.end(splitScript().module);
			});
		}
	};
}

/** `import start from 'virtual:jq-loader'` gives Emscripten's loader, in the bundle of the program. */
export function jqLoader(): Pick<Plugin, 'name' | 'resolveId' | 'load'> {
	return {
		name: 'sandglass:jq-loader',
		resolveId: (source) => (source === LOADER ? `\0${LOADER}` : null),
		load: (id) => (id === `\0${LOADER}` ? splitScript().loader : null)
	};
}

/** The package's script as module and loader. The loader hands out its file system instead of using its own streams. */
function splitScript(): { module: Buffer; loader: string } {
	const script = readFileSync(createRequire(import.meta.url).resolve('jq-wasm/dist/build/jq.js'), 'utf8');
	const [, base64] = /"data:application\/octet-stream;base64,([^"]+)"/.exec(script) ?? [];
	const [before, rest = ''] = script.split('Module = { ...Module, noInitialRun: true');
	const [, after = ''] = rest.split(/(?=var moduleOverrides)/);
	const [loader = '', exported] = after.split("if (typeof exports === 'object'");
	if (!base64 || exported === undefined) throw new Error('The script of jq-wasm is another than this plugin knows.');
	const settings = 'Module = { ...Module, noInitialRun: true, preRun() { moduleArg.prepare(FS, ENV); } };\n';
	const whole = `${before}${settings}${loader}`
		.replace(base64, '')
		.replace(/var ENVIRONMENT_IS_NODE = [^;]+;/, 'var ENVIRONMENT_IS_NODE = false;')
		.replaceAll('require(', 'absent(');
	return { module: Buffer.from(base64, 'base64'), loader: `${whole}\nexport default jq;\n` };
}
