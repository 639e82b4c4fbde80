import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ShellInMemory } from './in-memory.ts';

/** Scripts with bash 5.2's output, by topic. */
export type BashFacts = Readonly<Record<string, readonly (readonly [script: string, stdout: string])[]>>;

const env = { PATH: '/usr/bin:/bin', HOME: '/home/user', LC_ALL: 'C.UTF-8' };
const hasBash = /version 5\.2\./.test(spawnSync('bash', ['--version'], { encoding: 'utf8' }).stdout ?? '');

function answerOfBash(script: string): string {
	const cwd = mkdtempSync(path.join(tmpdir(), 'beside-bash-'));
	try {
		return spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8', input: '' }).stdout;
	} finally {
		rmSync(cwd, { recursive: true });
	}
}

/**
 * Defines a test per topic: the shell prints what is recorded, and so does the machine's bash if it is that version.
 */
export function testFacts(facts: BashFacts): void {
	for (const [theme, scripts] of Object.entries(facts)) {
		it(`answers as bash does: ${theme}`, async () => {
			const shell = new ShellInMemory();
			for (const [script, stdout] of scripts) {
				const result = await shell.run(script);
				expect(result.stdout.toString(), `${script}\n${result.stderr}`).toBe(stdout);
				if (hasBash) expect(answerOfBash(script), `the real bash: ${script}`).toBe(stdout);
			}
		});
	}
}
