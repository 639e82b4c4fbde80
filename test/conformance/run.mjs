// `npm run conformance [suite…]`: runs third-party suites in the tab and in the real program. With
// `CONFORMANCE_PART=3/10`, it runs every tenth case of one suite from the third on; the last part of ten writes the
// report.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { checkNode, install, root } from '../../server/prepare.mjs';

checkNode();
process.chdir(root);
install();
const { findBrowser } = await import('../browser.mjs');
const browser = await findBrowser();
if (!browser) throw new Error('No browser could be found or got: set CHROME_PATH to a Chromium.');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'conformance'], {
	stdio: 'inherit',
	env: {
		...process.env,
		...browser.env,
		CHROME_PATH: browser.executablePath,
		CONFORMANCE_SUITES: process.argv.slice(2).join(' ')
	}
});
process.exitCode = status ?? 1;
