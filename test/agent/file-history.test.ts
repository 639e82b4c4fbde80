import { describe, expect, it } from 'vitest';
import { FileHistory } from '#agent/file-history.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';

const write = (content: string) => ({ calls: [{ name: 'write', arguments: { path: 'a.txt', content } }] });
const run = (command: string) => ({ calls: [{ name: 'bash', arguments: { command } }] });

describe('the history of files', () => {
	it('keeps each version before and after a write, by tools and by the shell, and puts any back [A-10]', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('a.txt', 'at first\n');
		const read = { calls: [{ name: 'read', arguments: { path: 'a.txt' } }] };
		const turns = [read, write('one\n'), run('echo two > a.txt; echo b > b.txt'), run('rm a.txt'), { text: 'Done.' }];
		const { session, seen } = await fakeSession(turns, { environment, profile: createPiProfile({ model: 'm' }) });
		await session.submit('Go').result;
		const { history } = session.files;
		const texts = await Promise.all(
			history.of('a.txt').map(async ({ before, after, by }) => {
				const text = async (blob: string | null) => (blob ? new TextDecoder().decode(await history.read(blob)) : null);
				return [by, await text(before), await text(after)];
			})
		);
		expect(texts).toEqual([
			['tool', 'at first\n', 'one\n'],
			['shell', 'one\n', 'two\n'],
			['shell', 'two\n', null]
		]);
		expect(history.of('b.txt')).toHaveLength(1);
		for (const [index, expected] of [
			[0, 'at first\n'],
			[1, 'one\n'],
			[2, 'two\n']
		] as const) {
			await session.files.restoreVersion('a.txt', history.of('a.txt')[index]?.before ?? null);
			expect(await environment.readFile('a.txt')).toBe(expected);
		}
		await session.files.restoreVersion('b.txt', null);
		expect(await environment.fileExists('b.txt')).toBe(false);
		expect(ofType(seen, 'file_change').at(-1)).toMatchObject({ path: 'b.txt', kind: 'removed', by: 'user' });
		await expect(session.files.restoreVersion('a.txt', 'no version')).rejects.toThrow(RangeError);
		await session.close();
	});

	it('goes back as far as it can for the files that were written last', async () => {
		const history = new FileHistory(await temporaryEnvironment());
		const add = (path: string) => history.add({ path, timestamp: 0, by: 'shell', before: null, after: 'blob' });
		add('first');
		add('second');
		for (let index = 0; index < 19_998; index++) add(`installed/${index}`);
		add('first');
		add('one more');
		expect([history.of('first').length, history.of('second').length]).toEqual([2, 0]);
		expect(history.paths()).toHaveLength(20_000);
	});

	it('is each session’s own', async () => {
		const environment = await temporaryEnvironment();
		const profile = createPiProfile({ model: 'm' });
		const one = await fakeSession([write('one\n'), { text: 'Done.' }], { environment, profile });
		await one.session.submit('Go').result;
		const other = await fakeSession([{ text: 'Nothing.' }], { environment, profile });
		await other.session.submit('Go').result;
		expect(one.session.files.history.paths()).toEqual(['a.txt']);
		expect(other.session.files.history.paths()).toEqual([]);
	});
});
