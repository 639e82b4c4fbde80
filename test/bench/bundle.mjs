import path from 'node:path';

const ENTRIES = [
	'main.ts',
	'loop-child.ts',
	'model-server.ts',
	'loop/report.ts',
	'loop/tasks.ts',
	'server/upstream.ts',
	'server/bare-proxy.ts',
	'server/ours.ts',
	'machines/serve-machine.ts'
];

/**
 * Compiles what is measured once, so that it runs as plain JavaScript, as in the product; packages are not bundled.
 *
 * @param {string} root of the repository
 * @param {string} built directory for the bundles
 * @param {string[]} entries below `test/bench`
 */
export async function bundle(root, built, entries = ENTRIES) {
	const vite = await import('vite');
	await vite.build({
		root,
		configFile: false,
		logLevel: 'warn',
		publicDir: false,
		build: {
			ssr: true,
			target: 'node20',
			outDir: built,
			emptyOutDir: true,
			rolldownOptions: { input: entries.map((name) => path.join(root, 'test/bench', name)) }
		}
	});
}
