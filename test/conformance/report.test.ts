import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Run, writeReport } from './report.ts';
import type { Answer } from './suite.ts';

const before = process.cwd();
let folder = '';

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'report-'));
	process.chdir(folder);
	for (const name of ['docs', 'test/conformance']) mkdirSync(name, { recursive: true });
});
afterEach(() => {
	process.chdir(before);
	rmSync(folder, { recursive: true });
});

const answer = (stdout: string): Answer => ({ stdout, status: 0 });

/** Each word of an answer is a passed assertion. */
const runOf = (native: string, ours: string, alone?: string): Run => ({
	suite: {
		name: 'suite',
		title: 'Suite',
		place: 'NONE',
		repository: 'https://suite.test/',
		...(alone === undefined
			? {}
			: { peer: { title: 'the other one', answer: () => Promise.reject(new Error('It has answered.')) } }),
		load: () => Promise.reject(new Error('It is loaded.'))
	},
	loaded: {
		version: '1',
		native: 'real 1',
		cases: [{ name: 'case', group: 'group', script: '' }],
		files: {},
		assertions: ({ stdout }) => new Set(stdout.split(' ').filter(Boolean)),
		env: () => ({})
	},
	root: path.join(folder, 'root'),
	native: [answer(native)],
	answers: [answer(ours)],
	peer: alone === undefined ? [] : [answer(alone)],
	isWhole: true
});

it('sets what holds here beside what holds in a peer', async () => {
	const summary = await writeReport(runOf('a b c d', 'a b x', 'b c'));
	expect(summary).toBe('Suite: 2 of 4 equal (50.0 %); the other one: 2');
	const document = readFileSync('docs/conformance.md', 'utf8');
	expect(document).toContain('| the other one | 2 | 1 | 50.0 % |');
	expect(readFileSync('test/conformance/suite.failing.txt', 'utf8')).toBe('case c\ncase d\n');
	const kept = JSON.parse(readFileSync('test-results/conformance/suite.json', 'utf8')) as { peerIsEqual: boolean }[];
	expect(kept.map(({ peerIsEqual }) => peerIsEqual)).toEqual([true, false]);
});

it('says nothing of a peer that a suite does not have', async () => {
	expect(await writeReport(runOf('a b', 'a'))).toBe('Suite: 1 of 2 equal (50.0 %)');
	expect(readFileSync('docs/conformance.md', 'utf8')).not.toContain('of these equal here');
});
