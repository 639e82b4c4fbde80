import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { runnerDocument, type FrameDocument } from '#computer/frame/document.ts';
import { PAGE_ISOLATION, RUNNER_HEADERS } from '#computer/frame/headers.ts';
import { bundle } from './program-plugin.ts';
import { resolveSuffix } from './suffix.ts';

const SUFFIX = '?runner';
const ENTRY = fileURLToPath(new URL('../frame/runner.ts', import.meta.url));

/**
 * Makes `import build from './frame/runner.ts?runner'` return the build id of the sandbox's frame.
 *
 * - `vite build` writes `runner.html` and `runner-headers.json` (`{ build, headers }`) next to the page; the production
 *   server reads them at start and serves the document at `/runner`.
 * - In dev and in browser tests Vite's own server does that, and makes all its responses cross-origin isolated as the
 *   production server does.
 */
export function sandboxFrame(): Plugin {
	let building = false;
	let runner: Promise<{ document: FrameDocument; build: string; files: string[] }> | null = null;
	const load = () => (runner ??= loadRunner(building));
	return {
		name: 'sandglass:frame',
		enforce: 'pre',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: resolveSuffix(SUFFIX),
		async load(id) {
			if (!id.endsWith(SUFFIX)) return null;
			const { build, files } = await load();
			for (const file of files) this.addWatchFile(file);
			return `export default ${JSON.stringify(build)};`;
		},
		async buildStart() {
			if (!building) return;
			const { document, build } = await load();
			const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
			emit('runner.html', document.html);
			emit('runner-headers.json', JSON.stringify({ build, headers: document.headers }, null, '	'));
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				for (const [name, value] of Object.entries(PAGE_ISOLATION)) response.setHeader(name, value);
				const path = (request.url ?? '').split('?')[0];
				if (path !== '/runner') return next();
				load().then(({ document: { html, headers } }) => {
					for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
					response.end(html);
				}, next);
			});
		}
	};
}

/** Builds the frame's document and its build id, and lists the source files. */
export async function loadRunner(
	minify: boolean
): Promise<{ document: FrameDocument; build: string; files: string[] }> {
	const { code, files } = await bundle(ENTRY, minify);
	const build = createHash('sha256').update(code).update(JSON.stringify(RUNNER_HEADERS)).digest('hex').slice(0, 12);
	return { document: runnerDocument(code, build), build, files };
}
