import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

const NAME = 'virtual:ripgrep-module';
const SERVED = '/@asset/ripgrep.wasm';

/**
 * Makes `import url from 'virtual:ripgrep-module'` return the URL of ripgrep's WebAssembly module. The package contains
 * it as Brotli inside a script; browsers cannot decompress that, so it is done when the product is built.
 */
export function ripgrepModule(): Plugin {
	let building = false;
	let bytes: Promise<Uint8Array> | null = null;
	const load = () => (bytes ??= unpack());
	return {
		name: 'sandglass:ripgrep',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (source === NAME ? `\0${NAME}` : null),
		async load(id) {
			if (id !== `\0${NAME}`) return null;
			if (!building) return `export default ${JSON.stringify(SERVED)};`;
			const reference = this.emitFile({ type: 'asset', name: 'ripgrep.wasm', source: await load() });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if ((request.url ?? '').split('?')[0] !== SERVED) return next();
				void load().then((module) => {
					response.setHeader('Content-Type', 'application/wasm');
					response.end(module);
				}, next);
			});
		}
	};
}

async function unpack(): Promise<Uint8Array> {
	const entry = createRequire(import.meta.url).resolve('ripgrep');
	const packed: { getCompressedBytes(): Uint8Array } = await import(
		pathToFileURL(path.join(path.dirname(entry), '_rg.wasm.mjs')).href
	);
	return brotliDecompressSync(packed.getCompressedBytes());
}
