// `npm test`: installs what is missing, builds what is stale, finds or downloads a browser, runs everything.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { build, checkNode, install, root } from '../server/prepare.mjs';

const REPORTS = path.join(root, 'test-results');
const FAILURE_LINES = 12;

checkNode();
process.chdir(root);
install();
build();

const { findBrowser } = await import('./browser.mjs');
const browser = await findBrowser();
if (browser) console.log(`Browser: ${browser.executablePath} (from ${browser.source})`);
else
	console.log('No browser could be found or got: the tests in a browser are left out. Set CHROME_PATH to a Chromium.');

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS);
const env = { ...process.env, ...browser?.env, ...(browser ? { CHROME_PATH: browser.executablePath } : {}) };
// One run per kind: two cores serve one browser well and three badly. Runs without a browser use one worker more than
// there are cores, since many of their files wait for processes.
const runs = { node: ['node', 'page'], ...(browser ? { browser: ['browser'], e2e: ['e2e'] } : {}) };
const totals = { passed: 0, failed: 0, skipped: 0 };
const reasons = [];
const failures = [];
let broken = false;

for (const [name, projects] of Object.entries(runs)) {
	const report = path.join(REPORTS, `${name}.json`);
	const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
	const args = [
		vitest,
		'run',
		...projects.flatMap((project) => ['--project', project]),
		...(name === 'node' ? [`--maxWorkers=${availableParallelism() + 1}`] : []),
		'--reporter=default',
		'--reporter=json',
		`--outputFile.json=${report}`
	];
	const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
	if (status !== 0) broken = true;
	count(report);
}

if (!browser) reasons.push('everything in a browser: no browser');
if (reasons.length > 0) console.log(`\nLeft out:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
// Repeated at the end: failures of the first run are thousands of lines above, and a log is often read from the end.
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = broken || totals.failed > 0 || totals.passed === 0 ? 1 : 0;

function count(file) {
	let report;
	try {
		report = JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		broken = true;
		failures.push(`${file} could not be read: its run was cut off`);
		return;
	}
	for (const suite of report.testResults) {
		const name = path.relative(root, suite.name);
		if (suite.status === 'failed' && suite.assertionResults.length === 0) {
			broken = true;
			failures.push(`${name}: ${firstLines(suite.message)}`);
		}
		for (const test of suite.assertionResults) {
			if (test.status === 'passed') totals.passed++;
			else if (test.status === 'failed') {
				totals.failed++;
				failures.push(`${name}: ${test.fullName}\n    ${firstLines(test.failureMessages.join('\n'))}`);
			} else {
				totals.skipped++;
				reasons.push(test.fullName);
			}
		}
	}
}

function firstLines(message) {
	return message.split('\n').slice(0, FAILURE_LINES).join('\n    ');
}
