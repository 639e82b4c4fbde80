import { defineConfig } from 'vite';

/** Bundles the server into `dist/server/main.js`; what it needs of node_modules stays there. */
export default defineConfig({
	publicDir: false,
	build: { ssr: 'server/main.ts', outDir: 'dist/server', emptyOutDir: true, target: 'node20' }
});
