import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const NAMES = {
	'virtual:typescript-compiler': { served: '/@asset/typescript.js', type: 'text/javascript', load: compiler },
	'virtual:typescript-libraries': {
		served: '/@asset/typescript-libraries.json',
		type: 'application/json',
		load: libraries
	}
} as const;

const isOurs = (name: string): name is keyof typeof NAMES => Object.hasOwn(NAMES, name);

/**
 * `import url from 'virtual:typescript-compiler'` gives the address of the compiler's script, and
 * `'virtual:typescript-libraries'` that of its `lib.*.d.ts`, file name → text. Both are files of the page's own,
 * fetched when `tsc` is first called.
 */
export function typescriptAssets(): Plugin {
	let building = false;
	return {
		name: 'sandglass:typescript',
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (isOurs(source) ? `\0${source}` : null),
		async load(id) {
			const name = id.slice(1);
			if (!id.startsWith('\0') || !isOurs(name)) return null;
			const { served, load } = NAMES[name];
			if (!building) return `export default ${JSON.stringify(served)};`;
			const reference = this.emitFile({ type: 'asset', name: path.basename(served), source: await load() });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const address = (request.url ?? '').split('?')[0];
				const asset = Object.values(NAMES).find(({ served }) => served === address);
				if (!asset) return next();
				asset.load().then((source) => {
					response.setHeader('Content-Type', asset.type);
					response.end(source);
				}, next);
			});
		}
	};
}

const directory = () => path.dirname(createRequire(import.meta.url).resolve('typescript'));

function compiler(): Promise<string> {
	return readFile(path.join(directory(), 'typescript.js'), 'utf8');
}

async function libraries(): Promise<string> {
	const names = (await readdir(directory())).filter((name) => /^lib\..*d\.ts$|^lib\.d\.ts$/.test(name));
	const texts = await Promise.all(
		names.map(async (name) => [name, await readFile(path.join(directory(), name), 'utf8')] as const)
	);
	return JSON.stringify(Object.fromEntries(texts));
}
