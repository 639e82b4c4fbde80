import { describe, expect, it } from 'vitest';
import type { FileChange } from '#environment/contract.ts';
import { codeOf, entriesOf, until, type EnvironmentOf, type ItWith } from './checks.ts';

export function describeSnapshots(environmentOf: EnvironmentOf, itWith: ItWith): void {
	describe('snapshots', () => {
		it('names blobs as git does', async () => {
			const environment = environmentOf();
			await environment.writeFile('hello.txt', 'hello\n');
			const { entries } = await environment.snapshot();
			expect(entries.get('hello.txt')).toEqual({ mode: 0o100644, blob: 'ce013625030ba8dba906f756967f9e9ca394464a' });
			expect(new TextDecoder().decode(await environment.readBlob('ce013625030ba8dba906f756967f9e9ca394464a'))).toBe(
				'hello\n'
			);
			expect(await codeOf(environment.readBlob('0'.repeat(40)))).toBe('ENOENT');
		});

		it('gives equal trees equal ids and different trees different ones', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf({ 'a.txt': 'a', 'd/b.txt': 'b' }));
			const first = await environment.snapshot();
			await environment.writeFile('a.txt', 'changed');
			expect((await environment.snapshot()).id).not.toBe(first.id);
			await environment.writeFile('a.txt', 'a');
			expect((await environment.snapshot()).id).toBe(first.id);
		});

		it('puts everything back, also what other programs changed', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf({ 'a.txt': 'a', 'd/b.txt': 'b', 'd/e/f.txt': 'f' }));
			await environment.makeDirectory('empty');
			const before = await environment.snapshot();
			expect(before.entries.get('empty')).toEqual({ mode: 0o40000, blob: '' });
			await environment.exec('echo other > a.txt; rm -r d empty; mkdir new; echo n > new/n.txt');
			await environment.restore(before);
			const after = await environment.snapshot();
			expect(after.id).toBe(before.id);
			expect([...after.entries]).toEqual([...before.entries]);
			expect(await environment.readFile('d/e/f.txt')).toBe('f');
			expect(await environment.fileExists('new')).toBe(false);
		});

		itWith('symlinks', 'keeps links and executable bits', async () => {
			const environment = environmentOf();
			await environment.writeFile('run.sh', '#!/bin/sh\n');
			await environment.setMode('run.sh', 0o755);
			await environment.symlink('run.sh', 'link');
			const before = await environment.snapshot();
			expect(before.entries.get('run.sh')?.mode).toBe(0o100755);
			expect(before.entries.get('link')?.mode).toBe(0o120000);
			await environment.remove('link');
			await environment.setMode('run.sh', 0o644);
			await environment.restore(before);
			expect(await environment.readLink('link')).toBe('run.sh');
			expect((await environment.snapshot()).id).toBe(before.id);
		});

		it('tells the journal what a restore changed', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf({ 'a.txt': 'a', 'same.txt': 'same' }));
			const before = await environment.snapshot();
			await environment.writeFile('a.txt', 'b');
			await environment.writeFile('extra.txt', 'x');
			const changes: FileChange[] = [];
			environment.onChange((change) => changes.push(change));
			await environment.restore(before);
			await until(() => changes.length >= 2);
			const root = environment.workingDirectory();
			expect(changes.map(({ kind, path }) => `${kind} ${path.slice(root.length + 1)}`).sort()).toEqual([
				'remove extra.txt',
				'write a.txt'
			]);
		});
	});
}
