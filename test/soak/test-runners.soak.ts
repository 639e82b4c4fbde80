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
