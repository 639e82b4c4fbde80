import path from 'node:path';
import type { Plugin } from 'vite';

/** Generated file of the page. */
export interface MadeAsset {
	/** Its path in development; the built file keeps the name after the last `/`. */
	served: string;
	/** Media type that the development server sends. */
	type: string;
	load(): Promise<string | Uint8Array>;
}

/**
 * Makes `import url from 'virtual:…'` return the URL of each of these, by its module name.
 *
 * @param name name of the plugin in messages of the bundler
 */
export function madeAssets(name: string, assets: Record<string, MadeAsset>): Plugin {
	let building = false;
	const found = (source: string) => (Object.hasOwn(assets, source) ? assets[source] : undefined);
	return {
		name,
		configResolved(config) {
			building = config.command === 'build';
		},
		resolveId: (source) => (found(source) ? `\0${source}` : null),
		async load(id) {
			const asset = id.startsWith('\0') ? found(id.slice(1)) : undefined;
			if (!asset) return null;
			if (!building) return `export default ${JSON.stringify(asset.served)};`;
			const source = await asset.load();
			const reference = this.emitFile({ type: 'asset', name: path.basename(asset.served), source });
			return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const address = (request.url ?? '').split('?')[0];
				const asset = Object.values(assets).find(({ served }) => served === address);
				if (!asset) return next();
				asset.load().then((source) => {
					response.setHeader('Content-Type', asset.type);
					response.end(source);
				}, next);
			});
		}
	};
}
