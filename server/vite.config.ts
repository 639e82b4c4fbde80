import { defineConfig } from 'vite';

/** Bundles the server into `dist/server/main.js`; its dependencies stay in node_modules. */
export default defineConfig({
	publicDir: false,
	build: { ssr: 'server/main.ts', outDir: 'dist/server', emptyOutDir: true, target: 'node20' }
});
