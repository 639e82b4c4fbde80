import { describe, expect, it } from 'vitest';
import { absolutePath, displayPath, existingPath } from '#agent/tools/paths.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';

const environment = (...files: string[]) =>
	({
		workingDirectory: () => '/w',
		fileExists: (path: string) => Promise.resolve(files.includes(path))
	}) as unknown as ExecutionEnvironment;

describe('a path that a model gives', () => {
	it.each([
		['a.ts', '/w/a.ts'],
		['./src//a.ts', '/w/src/a.ts'],
		['@src/a.ts', '/w/src/a.ts'],
		['../x', '/x'],
		['/etc/../a', '/a'],
		['~', '~'],
		['~/a', '~/a'],
		['@~/a', '~/a'],
		['~a', '/w/~a'],
		['..', '/']
	])('%s is %s', (given, absolute) => expect(absolutePath(environment(), given)).toBe(absolute));

	it('is shown relative to the workspace where it is inside of it', () => {
		expect(displayPath(environment(), '/w/src/a.ts')).toBe('src/a.ts');
		expect(displayPath(environment(), '/w')).toBe('/w');
		expect(displayPath(environment(), '/work/a.ts')).toBe('/work/a.ts');
	});
});

describe('the path of a file that is there', () => {
	it.each([
		['a b', 'a\u00a0b', 'a b'],
		['a b', 'a\u2009b', 'a b'],
		['shot 3.15\u202fPM.png', 'shot 3.15 PM.png', 'shot 3.15\u202fPM.png'],
		['shot 3.15\u202fam.png', 'shot 3.15 am.png', 'shot 3.15\u202fam.png'],
		['cafe\u0301', 'caf\u00e9', 'cafe\u0301'],
		['caf\u00e9', 'cafe\u0301', 'caf\u00e9'],
		['it\u2019s', "it's", 'it\u2019s'],
		['cafe\u0301 d\u2019or', "caf\u00e9 d'or", 'cafe\u0301 d\u2019or']
	])('%j is found by %j', async (file, given, found) => {
		expect(await existingPath(environment(`/w/${file}`), given)).toBe(`/w/${found}`);
	});

	it('is the one as given before all other spellings, and where there is none', async () => {
		expect(await existingPath(environment("/w/it's", '/w/it\u2019s'), "it's")).toBe("/w/it's");
		expect(await existingPath(environment('/w/other'), "it's AM")).toBe("/w/it's AM");
	});

	it('is left to the operation itself where the environment cannot look, unless it is closed', async () => {
		const failing = (code: 'EACCES' | 'ECLOSED') =>
			({
				workingDirectory: () => '/w',
				fileExists: () => Promise.reject(new EnvironmentError(code, 'no'))
			}) as unknown as ExecutionEnvironment;
		expect(await existingPath(failing('EACCES'), 'a')).toBe('/w/a');
		await expect(existingPath(failing('ECLOSED'), 'a')).rejects.toThrow('no');
		const broken = { workingDirectory: () => '/w', fileExists: () => Promise.reject(new TypeError('bug')) };
		await expect(existingPath(broken as unknown as ExecutionEnvironment, 'a')).rejects.toThrow('bug');
	});
});
