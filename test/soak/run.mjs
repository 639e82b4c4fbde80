// `npm run soak [filter]`: runs the large counts of which `npm test` runs a small seeded sample. SOAK_SEED repeats a
// run.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build, checkNode, install, root } from '../../server/prepare.mjs';

checkNode();
process.chdir(root);
install();
build();

const { findBrowser } = await import('../browser.mjs');
const browser = await findBrowser();
const seed = process.env.SOAK_SEED ?? String(Date.now() % 1_000_000);
console.log(`Seed ${seed}: SOAK_SEED=${seed} npm run soak runs the same again.`);
mkdirSync('test-results', { recursive: true });
const projects = browser ? ['soak', 'soak-browser'] : ['soak'];
if (!browser)
	console.log('No browser could be found or got: what needs one is left out. Set CHROME_PATH to a Chromium.');
// `npm run soak projects express koa`: further words select projects, trees or frameworks, not files.
const words = process.argv.slice(2);
const names = /^(projects|frameworks|trees)$/.test(words[0] ?? '') ? words.splice(1) : [];
let broken = false;
for (const project of projects) {
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--passWithNoTests'];
	const report = ['--reporter=default', '--reporter=json', `--outputFile.json=test-results/${project}.json`];
	const { status } = spawnSync(process.execPath, [path.join(root, args[0]), ...args.slice(1), ...report, ...words], {
		stdio: 'inherit',
		env: {
			...process.env,
			...browser?.env,
			...(browser ? { CHROME_PATH: browser.executablePath } : {}),
			SOAK_SEED: seed,
			SOAK_NAMES: names.join(' ')
		}
	});
	if (status !== 0) broken = true;
}
process.exitCode = broken ? 1 : 0;
