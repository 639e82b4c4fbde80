// Finds a Chromium for the tests, or downloads one. Not TypeScript: it runs before anything is built.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { root } from '../server/prepare.mjs';

const SYSTEM = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium'
];

/**
 * Disabled features of Chromium. The pages behind the address bar need a renderer or two for each window, and a
 * headless one loads them too: 1.2 s of CPU for an empty page in a new context with them, 0.4 s without. This list
 * replaces Playwright's own, whose features are repeated.
 */
const DISABLED_FEATURES = [
	'WebUIOmniboxPopup',
	'WebUIOmniboxAimPopup',
	'WebUIOmniboxFullPopup',
	'AvoidUnnecessaryBeforeUnloadCheckSync',
	'DestroyProfileOnBrowserClose',
	'HttpsUpgrades',
	'HttpsFirstBalancedModeAutoEnable',
	'LensOverlay',
	'MediaRouter',
	'PaintHolding',
	'ThirdPartyStoragePartitioning',
	'AvoidCorsURLLoaderRestartOnRedirect',
	'OptimizationHints',
	'NetworkTimeServiceQuerying',
	'AimEnabled',
	'PreconnectToSearch'
];

/** Flags that keep a headless Chromium quiet and working as root. */
export const CHROMIUM_FLAGS = [
	`--disable-features=${DISABLED_FEATURES.join(',')}`,
	'--no-sandbox',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-quic',
	'--no-first-run'
];

/**
 * @returns {Promise<{ executablePath: string, env: Record<string, string>, source: string } | null>} `null` if none can
 * be found
 */
export async function findBrowser() {
	const named = process.env.CHROME_PATH;
	if (named) {
		if (!existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
		return { executablePath: named, env: {}, source: 'CHROME_PATH' };
	}
	const own = await playwrightsOwn();
	if (own) return { executablePath: own, env: {}, source: "Playwright's own" };
	const system = SYSTEM.find((file) => existsSync(file));
	if (system) return { executablePath: system, env: {}, source: 'the system' };
	const installed = spawnSync('npx', ['playwright', 'install', 'chromium'], {
		cwd: root,
		stdio: 'ignore',
		timeout: 300_000
	});
	const fetched = installed.status === 0 ? await playwrightsOwn() : null;
	if (fetched) return { executablePath: fetched, env: {}, source: 'a fresh download' };
	return unpackSparticuz();
}

async function playwrightsOwn() {
	const { chromium } = await import('playwright');
	const file = chromium.executablePath();
	return file && existsSync(file) ? file : null;
}

/** Unpacks the Chromium of an npm package (Linux x64), with its own libraries and a font configuration. */
async function unpackSparticuz() {
	if (process.platform !== 'linux' || process.arch !== 'x64') return null;
	const bin = path.join(root, 'node_modules/@sparticuz/chromium/bin');
	if (!existsSync(bin)) return null;
	const target = path.join(root, '.cache/chromium');
	if (!existsSync(path.join(target, 'chromium'))) {
		// In a separate folder, then renamed: two runs at once must not see half a browser.
		const fresh = mkdtempSync(path.join(tmpdir(), 'chromium-'));
		writeFileSync(path.join(fresh, 'chromium'), brotliDecompressSync(readFileSync(path.join(bin, 'chromium.br'))), {
			mode: 0o755
		});
		for (const pack of ['al2023', 'swiftshader', 'fonts']) {
			const archive = path.join(bin, `${pack}.tar.br`);
			if (!existsSync(archive)) continue;
			spawnSync('tar', ['-xf', '-', '-C', fresh], {
				input: brotliDecompressSync(readFileSync(archive)),
				stdio: ['pipe', 'inherit', 'inherit']
			});
		}
		mkdirSync(path.dirname(target), { recursive: true });
		try {
			renameSync(fresh, target);
		} catch (error) {
			if (error.code === 'EXDEV') spawnSync('cp', ['-r', fresh, target]);
			else if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
			rmSync(fresh, { recursive: true, force: true });
		}
	}
	const fonts = path.join(target, 'fonts');
	writeFileSync(
		path.join(target, 'fonts.conf'),
		`<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${path.join(target, 'font-cache')}</cachedir></fontconfig>`
	);
	const libraries = path.join(target, 'lib');
	const env = {
		LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
		FONTCONFIG_FILE: path.join(target, 'fonts.conf')
	};
	return { executablePath: path.join(target, 'chromium'), env, source: 'the npm package @sparticuz/chromium' };
}
