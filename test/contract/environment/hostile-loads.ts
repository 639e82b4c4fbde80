import { describe, expect, it } from 'vitest';
import { codeOf, entriesOf, type EnvironmentOf, type ItWith } from './checks.ts';
import { inOrder, link, playHostileLoads } from './hostile-paths.ts';

const HOSTILE = [
	'',
	'.',
	'..',
	'../outside.txt',
	'a/../../outside.txt',
	'a/..',
	'a//b.txt',
	'a/./b.txt',
	'/tmp/outside.txt',
	'//tmp/outside.txt',
	'C:\\outside.txt',
	'c:/outside.txt',
	'\\outside.txt',
	'\\\\server\\share\\outside.txt',
	'..\\outside.txt',
	'a\\..\\..\\outside.txt',
	'a/..\\../outside.txt',
	'a\0b.txt'
];

/** Tests that imports only write below the working directory. */
export function describeHostileLoads(environmentOf: EnvironmentOf, itWith: ItWith, count: number): void {
	// A pod takes one to three seconds per load.
	describe('loads of hostile content', { timeout: 180_000 }, () => {
		for (const path of HOSTILE) {
			it(`refuses the path ${JSON.stringify(path)}, and writes nothing`, async () => {
				expect(await codeOf(environmentOf().load(entriesOf({ [path]: 'hostile' })))).toBe('EINVAL');
				expect(await environmentOf().listDirectory('.', 9)).toEqual([]);
			});
		}

		it('takes names that only look hostile', async () => {
			const files = { '...': '1', '..a/b..': '2', '~': '3', 'a/~/b': '4', 'a:b': '5', 'unit\\x2dname.slice': '6' };
			await environmentOf().load(entriesOf(files));
			const listed = await environmentOf().listDirectory('.', 9);
			const paths = listed.filter(({ kind }) => kind === 'file').map(({ path }) => path);
			expect(paths).toEqual(Object.keys(files).sort());
		});

		itWith('symlinks', 'writes nothing through a link that the same import made', async () => {
			await environmentOf().makeDirectory('kept');
			const through = inOrder(link('d', 'kept'), { 'd/hostile.txt': 'hostile' });
			expect(await codeOf(environmentOf().load(through))).toBe('EACCES');
			expect(await environmentOf().listDirectory('kept', 1)).toEqual([]);
		});

		itWith('symlinks', 'writes nothing through a link of an earlier import, however deep', async () => {
			await environmentOf().makeDirectory('kept');
			await environmentOf().load(inOrder(link('a/b', '../kept')));
			for (const path of ['a/b/hostile.txt', 'a/b/c/d/hostile.txt'])
				expect(await codeOf(environmentOf().load(entriesOf({ [path]: 'hostile' })))).toBe('EACCES');
			expect(await codeOf(environmentOf().load(inOrder(link('a/b/link', 'x'))))).toBe('EACCES');
			expect(await environmentOf().listDirectory('kept', 1)).toEqual([]);
		});

		itWith('symlinks', 'writes nothing through a link to the home or to what is above', async () => {
			for (const target of ['..', '../..', '/', '/home/user', '~', '.']) {
				await environmentOf().load(inOrder(link('out', target)));
				expect(await codeOf(environmentOf().load(entriesOf({ 'out/hostile.txt': 'hostile' })))).toBe('EACCES');
				await environmentOf().remove('out');
			}
			expect(await environmentOf().listDirectory('.', 9)).toEqual([]);
		});

		itWith('symlinks', 'takes a file in the place of a link of the same import', async () => {
			await environmentOf().load(inOrder(link('a', 'kept.txt'), { a: 'mine', 'kept.txt': 'kept' }));
			expect(await environmentOf().readFile('a')).toBe('mine');
			expect(await environmentOf().readFile('kept.txt')).toBe('kept');
		});

		it('restores a file whose name only another platform would misread', async () => {
			const name = 'a\\..\\b';
			await environmentOf().load(entriesOf({ [name]: 'made by a program' }), { restored: true });
			expect((await environmentOf().listDirectory('.', 1)).map(({ path }) => path)).toEqual([name]);
			expect(await codeOf(environmentOf().load(entriesOf({ '../x': '' }), { restored: true }))).toBe('EINVAL');
		});

		it('loads below another directory that the caller names, and no further', async () => {
			await environmentOf().makeDirectory('below');
			const root = `${environmentOf().workingDirectory()}/below`;
			await environmentOf().load(entriesOf({ 'a/b.txt': 'there' }), { root });
			expect(await environmentOf().readFile('below/a/b.txt')).toBe('there');
			expect(await codeOf(environmentOf().load(entriesOf({ '../c.txt': '' }), { root }))).toBe('EINVAL');
		});

		it('leaves everything outside as it was, whatever the paths are made of', async () => {
			expect(await playHostileLoads(environmentOf(), { count, hasLinks: false })).toMatchObject({ tried: count });
		});

		itWith('symlinks', 'leaves everything outside as it was, whatever links it makes on the way', async () => {
			expect(await playHostileLoads(environmentOf(), { count, hasLinks: true })).toMatchObject({ tried: count });
		});
	});
}
