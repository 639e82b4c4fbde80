// `npm run requirements`: counts the specification's requirements that have a passing test naming them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '../server/prepare.mjs';

const REPORTS = path.join(root, 'test-results');
if (!isFresh())
	spawnSync(process.execPath, [path.join(root, 'test/run.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });

/** `id<TAB>description`, one per line. */
const wanted = readFileSync(path.join(root, 'test/requirements.tsv'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => line.split('\t')[0]);

const passed = new Set();
const failed = new Set();
for (const name of readdirSync(REPORTS).filter((file) => file.endsWith('.json'))) {
	const report = JSON.parse(readFileSync(path.join(REPORTS, name), 'utf8'));
	for (const suite of report.testResults) {
		for (const test of suite.assertionResults) {
			for (const [, list] of test.fullName.matchAll(/\[([^\]]+)\]/g)) {
				for (const id of list.split(/[,\s]+/)) {
					if (test.status === 'passed') passed.add(id);
					else if (test.status === 'failed') failed.add(id);
				}
			}
		}
	}
}
for (const id of failed) passed.delete(id);

const groups = new Map();
for (const id of wanted) {
	const group = id.replace(/-.*$/, '');
	const [have, all] = groups.get(group) ?? [0, 0];
	groups.set(group, [have + (passed.has(id) ? 1 : 0), all + 1]);
}
for (const [group, [have, all]] of groups) console.log(`${group}\t${have}/${all}`);
const have = wanted.filter((id) => passed.has(id)).length;
console.log(`${have}/${wanted.length} requirements have a passing test that names them`);
if (process.argv.includes('--missing'))
	for (const id of wanted.filter((id) => !passed.has(id))) console.log(`missing ${id}`);

/** Tells whether the last report is newer than everything it covers. */
function isFresh() {
	const report = path.join(REPORTS, 'node.json');
	if (!existsSync(report)) return false;
	const made = statSync(report).mtimeMs;
	return ['src', 'server', 'test'].every((folder) => newest(path.join(root, folder)) <= made);
}

function newest(folder) {
	let time = 0;
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		const file = path.join(folder, entry.name);
		time = Math.max(time, entry.isDirectory() ? newest(file) : statSync(file).mtimeMs);
	}
	return time;
}
