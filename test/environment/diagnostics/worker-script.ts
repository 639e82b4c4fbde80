import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/** Builds the script of the language service's thread as a host that bundles would: not every Node runs TypeScript. */
export async function buildWorkerScript(): Promise<URL> {
	const outDir = await mkdtemp(path.join(tmpdir(), 'sandglass-worker-'));
	await build({
		configFile: false,
		logLevel: 'error',
		ssr: { noExternal: true },
		build: {
			ssr: path.resolve('src/environment/local/typescript-worker.ts'),
			outDir,
			emptyOutDir: true,
			rolldownOptions: { output: { entryFileNames: 'worker.mjs' } }
		}
	});
	return pathToFileURL(path.join(outDir, 'worker.mjs'));
}
