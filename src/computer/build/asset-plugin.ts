import path from 'node:path';
import type { Plugin } from 'vite';

/** A file of the page's own that is made when it is asked for. */
export interface MadeAsset {
	/** Its address in development; the built one keeps the name behind the last `/`. */
	served: string;
	/** Media type that the development server sends. */
	type: string;
	load(): Promise<string | Uint8Array>;
}

/**
 * `import url from 'virtual:…'` gives the address of each of these, by the name it is imported by.
 *
 * @param name the plugin's, in messages of the bundler
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
