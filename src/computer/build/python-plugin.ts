import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';
import { madeAssets } from './asset-plugin.ts';

const ENTRY = fileURLToPath(new URL('../python/make-parts.ts', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/python/', import.meta.url));

/**
 * Makes `import url from 'virtual:python-library'` return the URL of the standard library with our own modules,
 * compiled, and `'virtual:python-snapshot'` that of the gzipped memory of an interpreter started with it: loading the
 * snapshot is an order of magnitude faster than starting. Both are created in Node when the product is built, and
 * cached in `.cache` as long as their inputs do not change.
 */
export function pythonParts(): Plugin {
	const type = 'application/octet-stream';
	const part = (file: string) => async () => readFile(path.join(await parts(), file));
	return madeAssets('sandglass:python', {
		'virtual:python-library': { served: '/@asset/python-library.zip', type, load: part('library.zip') },
		// Not sent as a content encoding: the sandbox decompresses it.
		'virtual:python-snapshot': { served: '/@asset/python.snapshot.gz', type, load: part('snapshot.gz') }
	});
}

let making: Promise<unknown> = Promise.resolve();

/**
 * Returns the directory with both, created if necessary. Both are requested at the same time, so they share one
 * promise.
 */
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
	// Other builds may run at the same time: each creates its own, and the first one stays.
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

/** Bundles the program that creates it, for Node. */
async function maker(): Promise<string> {
	const output = await build({
		configFile: false,
		logLevel: 'warn',
		build: {
			ssr: ENTRY,
			write: false,
			target: 'node20',
			minify: false,
			rolldownOptions: { checks: { pluginTimings: false } }
		}
	});
	const result = Array.isArray(output) ? output[0] : output;
	if (!result || !('output' in result)) throw new Error(`Nothing was built from ${ENTRY}.`);
	return result.output[0].code;
}
