import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import * as z from 'zod/mini';
import { bundle } from '#computer/build/program-plugin.ts';
import type { OfflineList } from './list.ts';

const ENTRY = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Larger files are fetched only after the page has settled. */
const LARGE_BYTES = 3 * 1024 * 1024;
/** The frame has its own route and no service worker; documents and previews in separate tabs need the server. */
const NOT_KEPT = /^(runner|docs\/|preview-tab\.)/;

/** Writes the page's service worker, `sw.js`, with the list of all built files, and adds the build id to the page. */
export function offlinePage(): Plugin {
	let publicFolder = '';
	return {
		name: 'sandglass:offline',
		apply: 'build',
		enforce: 'post',
		configResolved(config) {
			publicFolder = config.publicDir;
		},
		async generateBundle(_, built) {
			const hash = createHash('sha256');
			const sizes = new Map<string, number>();
			const add = (address: string, content: string | Uint8Array): void => {
				sizes.set(address, Buffer.byteLength(content));
				hash.update(address).update(content);
			};
			const page = built['index.html'];
			for (const [name, file] of Object.entries(built).sort(([a], [b]) => (a < b ? -1 : 1))) {
				const content = file.type === 'chunk' ? file.code : file.source;
				if (!NOT_KEPT.test(name)) add(file === page ? '/' : `/${name}`, content);
			}
			for (const entry of readdirSync(publicFolder, { recursive: true, encoding: 'utf8' }).sort()) {
				const file = path.join(publicFolder, entry);
				const name = entry.split(path.sep).join('/');
				if (statSync(file).isFile() && !NOT_KEPT.test(name)) add(`/${name}`, readFileSync(file));
			}
			const { code } = await bundle(ENTRY, true);
			const runner = frameBuild(built['runner-headers.json']);
			const build = hash.update(code).update(runner).digest('hex').slice(0, 12);
			const list: OfflineList = { build, runner, core: [], large: [] };
			for (const [address, size] of sizes) (size > LARGE_BYTES ? list.large : list.core).push(address);
			this.emitFile({ type: 'asset', fileName: 'sw.js', source: `const OFFLINE = ${JSON.stringify(list)};\n${code}` });
			if (page?.type !== 'asset') throw new Error('The page was not built.');
			page.source = page.source.toString().replace('<head>', `<head>\n\t\t<meta name="build" content="${build}" />`);
		}
	};
}

/** Build id of the sandbox frame, stored next to it. */
function frameBuild(file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): string {
	if (file?.type !== 'asset') throw new Error('The sandbox frame was not built.');
	return z.parse(z.object({ build: z.string() }), JSON.parse(file.source.toString())).build;
}
