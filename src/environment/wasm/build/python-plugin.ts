import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';

const PARTS = {
	'virtual:python-library': { file: 'library.zip', served: '/@asset/python-library.zip' },
	// Not sent as an encoding: the sandbox unpacks it.
	'virtual:python-snapshot': { file: 'snapshot.gz', served: '/@asset/python.snapshot.gz' }
} as const;

const isOurs = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name);
const ENTRY = fileURLToPath(new URL('../python/make-parts.ts', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../../.cache/python/', import.meta.url));

/**
 * `import url from 'virtual:python-library'` gives the address of the standard library with our own modules, compiled,
 * and `'virtual:python-snapshot'` that of the memory of an interpreter that has started with it, packed by gzip: taking
 * it over is an order of magnitude faster than starting. Both are made in Node when the product is built, and kept in
 * `.cache` as long as nothing of them changes.
 */
export function pythonParts(): Plugin {
	let building = false;
	return {
		name: 'sandglass:python',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (isOurs(source) ? `\0${source}` : null),
		async load(id) {
			const name = id.slice(1);
			if (!id.startsWith('\0') || !isOurs(name)) return null;
			const { file, served } = PARTS[name];
			if (!building) return `export default ${JSON.stringify(served)};`;
			const source = await readFile(path.join(await parts(), file));
			const reference = this.emitFile({ type: 'asset', name: path.basename(served), source });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const address = (request.url ?? '').split('?')[0];
				const part = Object.values(PARTS).find(({ served }) => served === address);
				if (!part) return next();
				parts()
					.then((directory) => readFile(path.join(directory, part.file)))
					.then((bytes) => {
						response.setHeader('Content-Type', 'application/octet-stream');
						response.end(bytes);
					}, next);
			});
		}
	};
}

let making: Promise<unknown> = Promise.resolve();

/** The directory with both, made if it is not there yet. One after the other: both are asked for at once. */
function parts(): Promise<string> {
	const made = making.then(make, make);
	making = made;
	return made;
}

async function make(): Promise<string> {
	const code = await maker();
	const pyodide = createRequire(import.meta.url).resolve('pyodide/package.json');
	const hash = createHash('sha256')
		.update(code)
		.update(await readFile(pyodide));
	const kept = path.join(CACHE, hash.digest('hex').slice(0, 16));
	if (existsSync(kept)) return kept;
	await mkdir(CACHE, { recursive: true });
	// Other builds may run at the same time: each makes its own, and the first one stays.
	const own = await mkdtemp(path.join(CACHE, 'making-'));
	try {
		const program = path.join(own, 'make.mjs');
		await writeFile(program, code);
		const done = path.join(own, 'parts');
		await promisify(execFile)(process.execPath, [program, done], { env: { ...process.env, TZ: 'UTC' } });
		await rename(done, kept).catch((error: unknown) => {
			if (!existsSync(kept)) throw error;
		});
	} finally {
		await rm(own, { recursive: true, force: true });
	}
	return kept;
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
