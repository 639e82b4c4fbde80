// `npm start`: install, build, serve. `--build` stops after building.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, checkNode, install, root, StartError } from './prepare.mjs';

try {
	checkNode();
	process.chdir(root);
	install();
	if (process.argv.includes('--build')) build({ force: true });
	else {
		build();
		await serve();
	}
} catch (error) {
	// A sentence where one was written for the reader, the whole trace for what nobody foresaw.
	const told = error instanceof StartError || error.name === 'ConfigurationError' || error.constructor === Error;
	console.error(told ? error.message : error);
	process.exitCode = 1;
}

async function serve() {
	if (existsSync('.env')) process.loadEnvFile('.env');
	const { startServer } = await import(pathToFileURL(path.join(root, 'dist/server/main.js')).href);
	const server = await startServer();
	console.log(`Sandglass is ready at ${server.url}`);
	let stopping = false;
	for (const signal of ['SIGINT', 'SIGTERM'])
		process.on(signal, () => {
			if (stopping) process.exit(130); // asked twice: at once
			stopping = true;
			server.close().then(() => process.exit(0));
		});
}
