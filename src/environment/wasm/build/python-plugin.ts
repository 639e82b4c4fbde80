import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';

const NAME = 'virtual:python-snapshot';
const SERVED = '/@asset/python.snapshot.gz';
const ENTRY = fileURLToPath(new URL('../python/make-snapshot.ts', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../../.cache/python/', import.meta.url));

/**
 * `import url from 'virtual:python-snapshot'` gives the address of the memory of a Python interpreter that has
 * started, packed by gzip: taking it over is an order of magnitude faster than starting. It is made in Node when the product
 * is built, and kept in `.cache` as long as nothing of it changes.
 */
export function pythonSnapshot(): Plugin {
	let building = false;
	return {
		name: 'sandglass:python-snapshot',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (source === NAME ? `\0${NAME}` : null),
		async load(id) {
			if (id !== `\0${NAME}`) return null;
			if (!building) return `export default ${JSON.stringify(SERVED)};`;
			const reference = this.emitFile({ type: 'asset', name: path.basename(SERVED), source: await snapshot() });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if ((request.url ?? '').split('?')[0] !== SERVED) return next();
				snapshot().then((memory) => {
					// Not as an encoding: the sandbox unpacks it.
					response.setHeader('Content-Type', 'application/gzip');
					response.end(memory);
				}, next);
			});
		}
	};
}

async function snapshot(): Promise<Uint8Array> {
	const code = await maker();
	const pyodide = createRequire(import.meta.url).resolve('pyodide/package.json');
	const hash = createHash('sha256')
		.update(code)
		.update(await readFile(pyodide));
	const kept = path.join(CACHE, `${hash.digest('hex').slice(0, 16)}.snapshot.gz`);
	if (existsSync(kept)) return readFile(kept);
	await mkdir(CACHE, { recursive: true });
	// Two builds may run at once: each makes its own, and the last one stays.
	const own = await mkdtemp(path.join(CACHE, 'making-'));
	try {
		const [program, memory] = [path.join(own, 'make.mjs'), path.join(own, 'memory.gz')];
		await writeFile(program, code);
		await promisify(execFile)(process.execPath, [program, memory], { env: { ...process.env, TZ: 'UTC' } });
		await rename(memory, kept);
	} finally {
		await rm(own, { recursive: true, force: true });
	}
	return readFile(kept);
}

/** The program that makes it, for Node. */
async function maker(): Promise<string> {
	const output = await build({
		configFile: false,
		logLevel: 'warn',
		build: { ssr: ENTRY, write: false, target: 'node20', minify: false }
	});
	const result = Array.isArray(output) ? output[0] : output;
	if (!result || !('output' in result)) throw new Error(`Nothing was built from ${ENTRY}.`);
	return result.output[0].code;
}
