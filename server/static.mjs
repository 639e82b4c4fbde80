// `node server/static.mjs <host> [folder]`: builds the product for static file hosting. See docs/deploy.md.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, checkNode, install, root, StartError } from './prepare.mjs';

try {
	checkNode();
	const [host = '', out = 'dist/static'] = process.argv.slice(2);
	const folder = path.resolve(out);
	process.chdir(root);
	install();
	build();
	const { writeStaticSite } = await import(pathToFileURL(path.join(root, 'dist/server/main.js')).href);
	await writeStaticSite(path.join(root, 'dist/page'), folder, host, process.env);
	console.log(`Upload ${folder} to ${host}, with its _headers file.`);
} catch (error) {
	const isExpected = error instanceof StartError || error.name === 'ConfigurationError' || error.constructor === Error;
	console.error(isExpected ? error.message : error);
	process.exitCode = 1;
}
