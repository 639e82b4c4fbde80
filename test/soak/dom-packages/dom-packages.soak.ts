import path from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandboxPage, type SandboxPage } from '../../computer/sandbox-page/open.ts';
import { installPackages } from '../install.ts';
import { COMPONENT_TESTS } from './component-tests.ts';

/** Name used by the test file → the installed package it stands for. */
const WINDOWS = [
	['jsdom', 'jsdom'],
	['jsdom', 'jsdom-26'],
	['jsdom', 'jsdom-22'],
	['happy-dom', 'happy-dom'],
	['happy-dom', 'happy-dom-15']
] as const;

let page: SandboxPage;
beforeAll(async () => {
	const modules = installPackages(import.meta.dirname);
	page = await openSandboxPage();
	await page.load(modules, '/workspace/node_modules');
});
afterAll(() => page?.close());

async function write(files: Record<string, string>): Promise<void> {
	const directory = mkdtempSync(path.join(tmpdir(), 'dom-packages-'));
	try {
		for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
		await page.load(directory, '/workspace');
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

it.each(WINDOWS.flatMap(([name, folder]) => ['vitest', 'jest'].map((tool) => [tool, name, folder] as const)))(
	'%s runs tests of React components in %s, from the package %s',
	async (tool, name, folder) => {
		const environment = tool === 'jest' && name === 'happy-dom' ? '@happy-dom/jest-environment' : name;
		await write({
			'package.json': '{ "name": "components" }',
			'vitest.config.mjs': 'export default { test: { globals: true } };\n',
			'component.test.jsx': `/** @${tool}-environment ${environment} */\n${COMPONENT_TESTS}`
		});
		const swap = (from: string, to: string) => (from === to ? 'true' : `mv node_modules/${from} node_modules/${to}`);
		const kept = folder === name ? 'true' : `mv node_modules/${name} node_modules/.kept`;
		const back = folder === name ? 'true' : `mv node_modules/.kept node_modules/${name}`;
		const command = tool === 'jest' ? 'npx jest' : 'npx vitest run';
		const { stdout, stderr } = await page.exec(
			`${kept}; ${swap(folder, name)}; ${command}; echo "exit $?"; ${swap(name, folder)}; ${back}`,
			240_000
		);
		expect(`${stdout}${stderr}`).toMatch(/Tests:? +6 passed/);
		expect(stdout).toMatch(/\nexit 0\n$/);
	}
);
