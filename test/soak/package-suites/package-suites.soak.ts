import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandboxPage, type SandboxPage } from '../../computer/sandbox-page/open.ts';
import { installPackages } from '../install.ts';
import { measureSuite, suiteTable, type SuiteResult } from './measure.ts';
import { PACKAGE_SUITES } from './suites.ts';

let page: SandboxPage;
let modules: string;
beforeAll(async () => {
	modules = installPackages(import.meta.dirname);
	page = await openSandboxPage();
	await page.load(modules, '/workspace/node_modules');
});
afterAll(() => page?.close());

it('passes the published tests of popular packages as Node does', async () => {
	const only = process.env['SUITES']?.split(',');
	const results: SuiteResult[] = [];
	for (const suite of PACKAGE_SUITES) {
		if (only && !only.includes(suite.name)) continue;
		const result = await measureSuite(suite, modules, page);
		results.push(result);
		for (const { file, native, sandbox, output } of result.short) {
			console.log(`${suite.name}/${file}: ${sandbox} of ${native}\n${output}\n`);
		}
	}
	const table = suiteTable(results);
	console.log(table);
	writeFileSync('test-results/package-suites.md', `${table}\n`);
	const native = results.reduce((total, result) => total + result.native, 0);
	const sandbox = results.reduce((total, result) => total + result.sandbox, 0);
	expect(sandbox / native).toBeGreaterThanOrEqual(0.95);
});
