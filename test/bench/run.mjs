// `npm run bench`: installs what is missing, bundles the benchmarks, runs them, prints a table and writes results.json.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, checkNode, install, root } from '../../server/prepare.mjs';
import { bundle } from './bundle.mjs';

const here = path.join(root, 'test/bench');
const built = path.join(root, '.cache/bench');

checkNode();
process.chdir(root);
install();
const only = process.argv.slice(2);
const peers = needsPeers() ? installPeers() : new Error('the peers are not needed for these groups');
const product = await findProduct();
await bundle(root, built);
const { main } = await import(pathToFileURL(path.join(built, 'main.js')).href);
await main({ built, here, peers, product, only });

/** Finds the built product and a browser to open it in. Without them the rows of the tab say why. */
async function findProduct() {
	try {
		build();
		const { CHROMIUM_FLAGS, findBrowser } = await import('../browser.mjs');
		const found = await findBrowser();
		if (!found) return new Error('no browser could be found or got; set CHROME_PATH to a Chromium');
		return { root, browser: { executablePath: found.executablePath, env: found.env, flags: CHROMIUM_FLAGS } };
	} catch (error) {
		return error;
	}
}

/** Only these groups measure third-party packages. */
function needsPeers() {
	return only.length === 0 || only.some((name) => name === 'loop' || name === 'server');
}

/** Installs the peers' packages in this directory. Without them their rows say why. */
function installPeers() {
	const pins = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8')).dependencies;
	const installed = Object.entries(pins).every(([name, version]) => {
		const manifest = path.join(here, 'node_modules', name, 'package.json');
		return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
	});
	if (installed) return here;
	console.log('Installing the peers …');
	const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const { status, stderr } = spawnSync('npm', args, {
		cwd: here,
		stdio: ['ignore', 'inherit', 'pipe'],
		encoding: 'utf8'
	});
	if (status === 0) return here;
	return new Error(`the peers could not be installed (${stderr?.trim().split('\n')[0] ?? 'npm failed'})`);
}
