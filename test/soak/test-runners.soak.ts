import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandboxPage, type SandboxPage } from '#test/computer/sandbox-page/open.ts';
import { registryProblem } from './registry.ts';

const noRegistry = registryProblem();
let page: SandboxPage;
beforeAll(async () => {
	page = await openSandboxPage({ registry: true });
});
afterAll(() => page?.close());

const FILES = {
	'package.json': '{"name":"three","scripts":{"test":"jest"}}',
	'sum.js': 'exports.sum = (a, b) => a + b;',
	'clock.js': "exports.now = () => 'real';",
	'passes.test.js': `const { sum } = require('./sum');
jest.mock('./clock');
const clock = require('./clock');
test('adds', () => expect(sum(1, 2)).toBe(3));
test('matches a snapshot', () => expect({ a: [1] }).toMatchSnapshot());
test('mocks', () => { clock.now.mockReturnValue(5); expect(clock.now()).toBe(5); });`,
	'timers.test.js': `jest.useFakeTimers();
test('advances', () => { const called = jest.fn(); setTimeout(called, 1000); jest.advanceTimersByTime(1000); expect(called).toHaveBeenCalled(); });
test.skip('skipped', () => {});`,
	'fails.test.js': `test('differs', () => expect({ a: 1 }).toEqual({ a: 2 }));
test('clones', () => expect(structuredClone([1])).toEqual([1]));`
};

it.skipIf(noRegistry).each([
	['29.7.0', []],
	['30', ['unrs-resolver@1.12.2']]
])(`jest %s itself passes, fails, mocks, keeps snapshots and counts coverage${noRegistry}`, async (version, more) => {
	const root = `/workspace/jest-${version}`;
	for (const [name, text] of Object.entries(FILES)) {
		await page.exec(`mkdir -p ${root} && cat > ${root}/${name} <<'EOT'\n${text}\nEOT`);
	}
	const installed = await page.exec(`cd ${root} && npm install jest@${version} ${more.join(' ')}`, 300_000);
	expect(installed.exitCode).toBe(0);
	const first = await page.exec(`cd ${root} && npm test`, 60_000);
	expect(first.exitCode).toBe(1);
	expect(first.stderr).toContain('Tests:       1 failed, 1 skipped, 5 passed, 7 total');
	expect(first.stderr).toContain('1 snapshot written');
	for (const workers of ['--runInBand', '--maxWorkers=2']) {
		const again = await page.exec(`cd ${root} && npx jest --json ${workers} 2>/dev/null`, 60_000);
		const json: unknown = JSON.parse(again.stdout);
		expect(json).toMatchObject({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 1, snapshot: { matched: 1 } });
	}
	const covered = await page.exec(`cd ${root} && npx jest --coverage passes`, 60_000);
	expect(covered.exitCode).toBe(0);
	expect(covered.stdout).toMatch(/ sum\.js +\| +100 \|/);
});

/** Split in two: the vitest that runs this file searches it for the comment too. */
const DOM = `// @${'vitest'}-environment jsdom`;

const SUITE = {
	'package.json': '{"name":"two","type":"module","scripts":{"test":"vitest run"}}',
	'sum.ts': 'export const sum = (a: number, b: number): number => a + b;',
	'passes.test.ts': `import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { sum } from './sum';
vi.mock('node:fs');
test('adds', () => expect(sum(1, 2)).toBe(3));
test('matches a snapshot', () => expect({ a: [1] }).toMatchSnapshot());
test('mocks', () => { vi.mocked(readFileSync).mockReturnValue('text'); expect(readFileSync('x')).toBe('text'); });`,
	'page.test.ts': `${DOM}
import { expect, test, vi } from 'vitest';
test('has a page', () => { document.body.innerHTML = '<p>hi</p>'; expect(document.querySelector('p')?.textContent).toBe('hi'); });
test('advances', () => { vi.useFakeTimers(); const called = vi.fn(); setTimeout(called, 1000); vi.advanceTimersByTime(1000); expect(called).toHaveBeenCalled(); });
test.skip('skipped', () => {});`,
	'fails.test.ts': `import { expect, test } from 'vitest';
test('differs', () => expect({ a: 1 }).toEqual({ a: 2 }));`
};

it.skipIf(noRegistry).each(['1.6.1', '2.1.9', '3.2.7', '4.1.12'])(
	`vitest %s itself passes, fails, mocks and keeps snapshots in both pools${noRegistry}`,
	async (version) => {
		const root = `/workspace/vitest-${version}`;
		for (const [name, text] of Object.entries(SUITE)) {
			await page.exec(`mkdir -p ${root} && cat > ${root}/${name} <<'EOT'\n${text}\nEOT`);
		}
		const installed = await page.exec(`cd ${root} && npm install -D vitest@${version} jsdom@26`, 300_000);
		expect(installed.exitCode).toBe(0);
		const first = await page.exec(`cd ${root} && npm test`, 120_000);
		expect(first).toMatchObject({ exitCode: 1, timedOut: false });
		expect(first.stdout).toContain('Snapshots  1 written');
		expect(first.stdout).toMatch(/Tests {2}1 failed \| 5 passed \| 1 skipped \(7\)/);
		expect(first.stdout + first.stderr).not.toContain('close timed out');
		for (const pool of ['forks', 'threads']) {
			const again = await page.exec(`cd ${root} && npx vitest run --pool=${pool} --reporter=json 2>/dev/null`, 120_000);
			const json: unknown = JSON.parse(again.stdout);
			expect(json).toMatchObject({
				numPassedTests: 5,
				numFailedTests: 1,
				numPendingTests: 1,
				snapshot: { matched: 1 }
			});
		}
	}
);
