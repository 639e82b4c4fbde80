// Serves the existing build without looking at the sources: for containers, which have none.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts the built server and stops it on SIGINT and SIGTERM.
 * @param root the folder that contains `dist/`
 */
export async function serve(root) {
	const { startServer } = await import(pathToFileURL(path.join(root, 'dist/server/main.js')).href);
	const server = await startServer();
	console.log(`Sandglass is ready at ${server.url}`);
	let stopping = false;
	for (const signal of ['SIGINT', 'SIGTERM'])
		process.on(signal, () => {
			if (stopping) process.exit(130); // second signal: exit immediately
			stopping = true;
			server.close().then(() => process.exit(0));
		});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
	serve(path.dirname(import.meta.dirname)).catch((error) => {
		const isExpected = error.name === 'ConfigurationError' || error.constructor === Error;
		console.error(isExpected ? error.message : error);
		process.exitCode = 1;
	});
