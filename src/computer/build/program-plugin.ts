import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { brotliBindings } from './brotli-plugin.ts';
import { jqLoader } from './jq-plugin.ts';
import { programParts } from './part-plugin.ts';
import { pythonParts } from './python-plugin.ts';
import { resolveSuffix } from './suffix.ts';
import { typescriptAssets } from './typescript-plugin.ts';
import { zoneArchive } from './zoneinfo-plugin.ts';

const SUFFIX = '?program';
const shim = (file: string) => fileURLToPath(new URL(`./shims/${file}`, import.meta.url));

/** Node's modules as the sandbox's programs import them, in both spellings. */
export const nodeAliases = Object.entries({
	buffer: 'buffer/',
	path: 'path-browserify',
	stream: 'stream-browserify',
	events: 'events/',
	util: 'util/',
	url: shim('url.ts'),
	process: shim('process.ts')
}).flatMap(([name, replacement]) => [
	{ find: new RegExp(`^node:${name}$`), replacement },
	{ find: new RegExp(`^${name}$`), replacement }
]);

/**
 * Makes `import url from './kernel/main.ts?program'` return the URL of that entry bundled into one classic script. The
 * sandbox frame has an opaque origin and loads nothing by URL, so the page fetches the text and passes it on; module
 * workers from blobs fail in Chromium, hence classic.
 */
export function sandboxPrograms(): Plugin[] {
	const served = new Map<string, string>();
	let building = false;
	const programs: Plugin = {
		name: 'sandglass:programs',
		enforce: 'pre',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: resolveSuffix(SUFFIX),
		async load(id) {
			if (!id.endsWith(SUFFIX)) return null;
			const entry = id.slice(0, -SUFFIX.length);
			const { code, files } = await bundle(entry, building);
			for (const file of files) this.addWatchFile(file);
			const name = `${path.basename(path.dirname(entry))}-${path.basename(entry, '.ts')}`;
			if (building) {
				const reference = this.emitFile({ type: 'asset', name: `${name}.js`, source: code });
				return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
			}
			const hash = createHash('sha256').update(code).digest('hex').slice(0, 12);
			const address = `/@program/${name}-${hash}.js`;
			served.set(address, code);
			return `export default ${JSON.stringify(address)};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const code = served.get((request.url ?? '').split('?')[0] ?? '');
				if (code === undefined) return next();
				response.setHeader('Content-Type', 'text/javascript');
				response.end(code);
			});
		}
	};
	return [programs, programParts(bundle, () => building), typescriptAssets(), pythonParts(), zoneArchive()];
}

/** Files of Node's program, whose values are visible to users' programs. */
const NODE = /[\\/]computer[\\/]node[\\/]/;

/** Minifies, but keeps names visible to programs: in stacks, as `constructor.name`, and in the output of `inspect`. */
function minifying(entry: string): Rolldown.MinifyOptions {
	const keepNames = { class: true, function: NODE.test(entry) };
	return { compress: { keepNames }, mangle: { keepNames }, codegen: true };
}

/**
 * Bundles one entry as a classic script. Throws the bundler's errors.
 *
 * @param name global variable for its exports
 * @param plugins further plugins, which run first
 */
export async function bundle(
	entry: string,
	minify: boolean,
	name?: string,
	plugins: Plugin[] = []
): Promise<{ code: string; files: string[] }> {
	const output = await build({
		configFile: false,
		logLevel: 'warn',
		plugins: [...plugins, nodeBranches(), jqLoader(), brotliBindings(), programParts(bundle, minify)],
		resolve: { alias: nodeAliases },
		define: { 'process.env.NODE_DEBUG': 'undefined', 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
		build: {
			write: false,
			target: 'es2023',
			minify: minify ? 'oxc' : false,
			modulePreload: false,
			rolldownOptions: {
				input: entry,
				checks: { pluginTimings: false },
				onLog: (level, log, print) => (isExpected(log.code, log.message) ? undefined : print(level, log)),
				preserveEntrySignatures: name ? 'strict' : false,
				output: { format: 'iife', codeSplitting: false, name, minify: minify && minifying(entry) }
			}
		}
	});
	const result = Array.isArray(output) ? output[0] : output;
	if (!result || !('output' in result)) throw new Error(`Nothing was built from ${entry}.`);
	const chunk = result.output[0];
	return { code: inAscii(chunk.code), files: chunk.moduleIds.filter((file) => path.isAbsolute(file)) };
}

/**
 * Escapes the script to ASCII: with a single character beyond one byte, an engine stores and reads twice the size for
 * each worker. Within strings and patterns an escape has the same meaning.
 */
export function inAscii(code: string): string {
	return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const EMPTY_MODULE = '\0sandglass:empty';

/** Replaces modules imported by Node branches of Python's glue code, which a worker never runs, by empty ones. */
function nodeBranches(): Plugin {
	return {
		name: 'sandglass:node-branches',
		enforce: 'pre',
		resolveId: (source, importer) =>
			source.startsWith('node:') && /node_modules\/pyodide\//.test(importer ?? '') ? EMPTY_MODULE : null,
		load: (id) => (id === EMPTY_MODULE ? 'export default {};' : null)
	};
}

/** Python's glue code has branches for Node and for modules, which a classic worker never runs. */
function isExpected(code: string | undefined, message: string): boolean {
	const known = ['EVAL', 'EMPTY_IMPORT_META', 'COMMONJS_VARIABLE_IN_ESM'];
	return known.includes(code ?? '') && /node_modules\/(?:pyodide|unpdf)\/|preload-helper/.test(message);
}
