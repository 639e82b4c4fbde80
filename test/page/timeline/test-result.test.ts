import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTestResult } from '#page/timeline/test-result.ts';

const directory = mkdtempSync(join(tmpdir(), 'test-result-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Output of a real runner for two passing tests and a failing one. */
function printed(file: string, content: string, command: string, ...args: string[]): string {
	writeFileSync(join(directory, file), content);
	// A runner inside another one would report to that one.
	const { NODE_TEST_CONTEXT: _, ...env } = process.env;
	const { stdout, stderr } = spawnSync(command, args, { cwd: directory, encoding: 'utf8', env });
	return stdout + stderr;
}

const NODE = `import { test } from 'node:test';
test('a', () => {});
test('b', () => {});
test('c', () => { throw new Error('no'); });
`;
const PYTHON = `import unittest
class T(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): pass
    def test_c(self): self.fail('no')
    @unittest.skip('later')
    def test_d(self): pass
unittest.main()
`;

describe('readTestResult', () => {
	it.each(['spec', 'tap'])('reads what node:test prints as %s', (reporter) => {
		const args = ['--test', `--test-reporter=${reporter}`, 'a.test.mjs'];
		expect(readTestResult(printed('a.test.mjs', NODE, process.execPath, ...args))).toEqual({ passed: 2, failed: 1 });
	});

	it('reads what unittest prints', () => {
		expect(execFileSync('python3', ['--version'], { encoding: 'utf8' })).toContain('Python');
		expect(readTestResult(printed('a.py', PYTHON, 'python3', 'a.py'))).toEqual({ passed: 2, failed: 1 });
	});

	it.each([
		['jest', 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n'],
		['vitest', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 1 skipped (4)\n'],
		['pytest', '=================== 1 failed, 2 passed, 1 skipped in 0.12s ===================\n'],
		['quiet pytest', '1 failed, 2 passed in 0.12s\n'],
		['mocha', '  2 passing (5ms)\n  1 pending\n  1 failing\n'],
		['cargo', 'test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n']
	])('reads the summary of %s', (_, output) => {
		expect(readTestResult(output)).toEqual({ passed: 2, failed: 1 });
	});

	it('says nothing where no summary stands, and takes no time over long lines', () => {
		expect(readTestResult('Hello, 3 passed by.\n')).toBeNull();
		expect(readTestResult('')).toBeNull();
		expect(readTestResult('1'.repeat(1_000_000))).toBeNull();
	});
});
