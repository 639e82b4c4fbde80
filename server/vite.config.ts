import { defineConfig } from 'vite';

/** Bundles the server with its dependencies into `dist/server/main.js`, so that it runs without node_modules. */
export default defineConfig({
	publicDir: false,
	ssr: { noExternal: true },
	build: { ssr: 'server/main.ts', outDir: 'dist/server', emptyOutDir: true, target: 'node20' }
});
