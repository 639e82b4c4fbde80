import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { collectKilled, decidedBefore } from './killed.mjs';

function start() {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-killed-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const kept = path.join(folder, 'kept.json');
	const run = (fileOf: Record<string, string>, hashes: Record<string, string>, verdicts: object[]) => {
		writeFileSync(path.join(folder, 'plan.json'), JSON.stringify({ fileOf, hashes }));
		writeFileSync(
			path.join(folder, 'verdicts.jsonl'),
			verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join('')
		);
		return collectKilled(folder, kept);
	};
	return { folder, kept, run };
}

it('finds what was killed in runs of other files, by its place in the same text', () => {
	const { kept, run } = start();
	run({ 0: 'a.ts', 1: 'b.ts', 2: 'b.ts' }, { 'a.ts': 'A', 'b.ts': 'B' }, [
		{ mutant: '0', verdict: 'Survived' },
		{ mutant: '1', verdict: 'Timeout' },
		{ mutant: '2', verdict: 'Survived' },
		{ mutant: '2', verdict: 'Killed' },
		{ file: 'x.test.ts', problem: 'out of time' }
	]);
	const killed = run({ 0: 'a.ts' }, { 'a.ts': 'A' }, [{ mutant: '0', verdict: 'Killed' }]);
	expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(killed);
	const fileOf = { 0: 'b.ts', 1: 'b.ts', 2: 'c.ts', 3: 'a.ts' };
	expect(decidedBefore(killed, fileOf, { 'a.ts': 'A', 'b.ts': 'B', 'c.ts': 'C' })).toEqual([
		{ mutant: '1', verdict: 'Killed' },
		{ mutant: '3', verdict: 'Killed' }
	]);
});

it('forgets what was killed in a text that has changed', () => {
	const { run } = start();
	run({ 0: 'a.ts', 1: 'a.ts' }, { 'a.ts': 'old' }, [{ mutant: '0', verdict: 'Killed' }]);
	const killed = run({ 0: 'a.ts', 1: 'a.ts' }, { 'a.ts': 'new' }, [{ mutant: '1', verdict: 'Killed' }]);
	expect(decidedBefore(killed, { 5: 'a.ts', 6: 'a.ts' }, { 'a.ts': 'new' })).toEqual([
		{ mutant: '6', verdict: 'Killed' }
	]);
	expect(decidedBefore(killed, { 5: 'a.ts', 6: 'a.ts' }, { 'a.ts': 'old' })).toEqual([]);
});

it('spares what blocked a process, until another test kills it', () => {
	const { run } = start();
	const blocked = { mutant: '1', verdict: 'Timeout', isBlocked: true };
	const killed = run({ 0: 'a.ts', 1: 'a.ts' }, { 'a.ts': 'A' }, [{ mutant: '0', verdict: 'Timeout' }, blocked]);
	expect(decidedBefore(killed, { 0: 'a.ts', 1: 'a.ts' }, { 'a.ts': 'A' })).toEqual([blocked]);
	const later = run({ 7: 'a.ts', 8: 'a.ts' }, { 'a.ts': 'A' }, [{ mutant: '8', verdict: 'Killed' }]);
	expect(decidedBefore(later, { 0: 'a.ts', 1: 'a.ts' }, { 'a.ts': 'A' })).toEqual([{ mutant: '1', verdict: 'Killed' }]);
});

it('takes a run that was cut in the middle of a line, and none at all', () => {
	const { folder, kept, run } = start();
	expect(collectKilled(path.join(folder, 'missing'), kept)).toEqual({});
	run({ 0: 'a.ts', 1: 'a.ts' }, { 'a.ts': 'A' }, [{ mutant: '0', verdict: 'Killed' }]);
	appendFileSync(path.join(folder, 'verdicts.jsonl'), '{"mutant":"1","verd');
	expect(collectKilled(folder, kept)).toEqual({ 'a.ts': { hash: 'A', killed: [0] } });
});
