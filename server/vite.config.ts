import { defineConfig, type Plugin } from 'vite';

/**
 * Parts of the Docker client that are not used here: engines over SSH, and BuildKit with its native and gRPC libraries.
 */
const UNUSED = /\/(docker-modem\/lib\/ssh|dockerode\/lib\/session)\.js$/;

const withoutUnusedParts: Plugin = {
	name: 'sandglass-without-unused-parts',
	load: (id) =>
		UNUSED.test(id)
			? `module.exports = () => { throw new Error('This server connects to no engine that way.'); };`
			: null
};

/** Bundles the server with its dependencies into `dist/server/main.js`, so that it runs without node_modules. */
export default defineConfig({
	publicDir: false,
	plugins: [withoutUnusedParts],
	// Optional and native: the bundle loads it from node_modules if it is installed.
	ssr: { noExternal: true, external: ['@lydell/node-pty'] },
	build: { ssr: 'server/main.ts', outDir: 'dist/server', emptyOutDir: true, target: 'node20' }
});
