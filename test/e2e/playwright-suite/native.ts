import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verdictsOf } from './suite.ts';

/** Results of Playwright itself, with a Chromium of this machine. */
export function nativeVerdicts(files: Record<string, string>, grep: string): Record<string, string> {
	const folder = mkdtempSync(path.join(tmpdir(), 'playwright-suite-'));
	try {
		const modules = path.join(folder, 'node_modules');
		mkdirSync(path.join(modules, '@playwright/test'), { recursive: true });
		for (const name of ['playwright', 'playwright-core'])
			symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
		writeFileSync(path.join(modules, '@playwright/test/package.json'), '{"name":"@playwright/test","main":"index.js"}');
		writeFileSync(path.join(modules, '@playwright/test/index.js'), `module.exports = require('playwright/test');`);
		for (const [name, text] of Object.entries(files)) {
			mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
			writeFileSync(path.join(folder, name), text);
		}
		const cli = path.join(modules, 'playwright/cli.js');
		const { stdout } = spawnSync(
			process.execPath,
			['--preserve-symlinks', '--preserve-symlinks-main', cli, 'test', '--reporter=json', `--grep=${grep}`],
			{
				cwd: folder,
				encoding: 'utf8',
				env: { ...process.env, CHROME_PATH: process.env['CHROME_PATH'] ?? '/usr/bin/chromium', FORCE_COLOR: '0' },
				timeout: 600_000
			}
		);
		return verdictsOf(stdout);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
