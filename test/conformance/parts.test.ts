import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { casesOf, joinParts, keepPart, partOf } from './parts.ts';
import type { Answer, Case } from './suite.ts';

const before = process.cwd();
let folder = '';

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'parts-'));
	process.chdir(folder);
});
afterEach(() => {
	process.chdir(before);
	rmSync(folder, { recursive: true });
});

const cases: Case[] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, group: 'g', script: name }));
const answerOf = ({ name }: Case): Answer => ({ stdout: name, status: 0 });

it('reads which part is meant', () => {
	expect(partOf(undefined)).toBeNull();
	expect(partOf('3/10')).toEqual({ number: 3, of: 10 });
	for (const text of ['0/2', '3/2', '1', 'a/b']) expect(() => partOf(text)).toThrow(text);
});

it('puts the answers of all parts together in the order of the cases, and not before all are there', async () => {
	const run = async (number: number) => {
		const own = casesOf(cases, { number, of: 2 });
		const native = own.map((one) => (one.name === 'd' ? null : answerOf(one)));
		const answers = own.map(answerOf);
		await keepPart('suite', { number, of: 2 }, { native, answers, peer: own.map(answerOf) });
	};
	await run(2);
	expect(await joinParts('suite', { number: 2, of: 2 }, cases)).toBeNull();
	await run(1);
	expect(await joinParts('suite', { number: 1, of: 2 }, cases)).toBeNull();
	await run(2);
	const joined = await joinParts('suite', { number: 2, of: 2 }, cases);
	expect(joined?.answers.map(({ stdout }) => stdout).join('')).toBe('abcde');
	expect(joined?.peer.map(({ stdout }) => stdout).join('')).toBe('abcde');
	expect(joined?.native.map((one) => one?.stdout ?? '-').join('')).toBe('abc-e');
});
