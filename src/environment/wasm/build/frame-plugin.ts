import type { Plugin } from 'vite';
import { PAGE_ISOLATION } from '../frame/headers.ts';

/** In dev and in browser tests: makes every answer of Vite's server cross-origin isolated, as the real server does. */
export function sandboxFrame(): Plugin {
	return {
		name: 'sandglass:frame',
		enforce: 'pre',
		configureServer(server) {
			server.middlewares.use((_request, response, next) => {
				for (const [name, value] of Object.entries(PAGE_ISOLATION)) response.setHeader(name, value);
				next();
			});
		}
	};
}
