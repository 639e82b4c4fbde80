// `npm start`: install, build, serve. `--build` stops after building.
import { existsSync } from 'node:fs';
import { build, checkNode, install, root, StartError } from './prepare.mjs';
import { serve } from './serve.mjs';

try {
	checkNode();
	process.chdir(root);
	install();
	if (process.argv.includes('--build')) build({ force: true });
	else {
		build();
		if (existsSync('.env')) process.loadEnvFile('.env');
		await serve(root);
	}
} catch (error) {
	// Expected errors print their message only, unexpected ones the whole stack trace.
	const isExpected = error instanceof StartError || error.name === 'ConfigurationError' || error.constructor === Error;
	console.error(isExpected ? error.message : error);
	process.exitCode = 1;
}
