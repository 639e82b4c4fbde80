import { describe, expect, it } from 'vitest';
import type { FileChange } from '#environment/contract.ts';
import { entriesOf, until, type EnvironmentOf, type ItWith } from './checks.ts';

export function describeJournal(environmentOf: EnvironmentOf, itWith: ItWith): void {
	describe('the write journal', () => {
		it('tells every change in order with no gap', async () => {
			const environment = environmentOf();
			const root = environment.workingDirectory();
			const changes: FileChange[] = [];
			const unsubscribe = environment.onChange((change) => changes.push(change));
			await environment.writeFile('a.txt', 'one');
			await environment.writeFile('a.txt', 'two');
			await environment.rename('a.txt', 'b.txt');
			await environment.remove('b.txt');
			await until(() => changes.some((change) => change.kind === 'remove'));
			expect(changes.map(({ kind, path }) => `${kind} ${path.slice(root.length)}`)).toEqual([
				'write /a.txt',
				'write /a.txt',
				'rename /a.txt',
				'remove /b.txt'
			]);
			expect(changes[2]?.to).toBe(`${root}/b.txt`);
			expect(new TextDecoder().decode(changes[1]?.bytes)).toBe('two');
			expect(changes[1]?.mode).toBe(0o100644);
			const first = changes[0]?.seq ?? 0;
			expect(changes.map((change) => change.seq)).toEqual(changes.map((_, index) => first + index));
			unsubscribe();
			await environment.writeFile('unseen.txt', '');
			expect(changes.at(-1)?.kind).toBe('remove');
		});

		it('counts from 1', async () => {
			const changes: FileChange[] = [];
			environmentOf().onChange((change) => changes.push(change));
			await environmentOf().writeFile('first.txt', 'x');
			await until(() => changes.length > 0);
			expect(changes[0]?.seq).toBe(1);
		});

		it('sees what a command wrote, changed and removed', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf({ 'old.txt': 'old\n', 'gone.txt': 'gone\n' }));
			const changes = new Map<string, FileChange>();
			environment.onChange((change) => changes.set(change.path, change));
			await environment.exec('echo new > sub.txt; echo more >> old.txt; rm gone.txt');
			const root = environment.workingDirectory();
			await until(() => changes.get(`${root}/gone.txt`) !== undefined);
			expect(new TextDecoder().decode(changes.get(`${root}/sub.txt`)?.bytes)).toBe('new\n');
			expect(new TextDecoder().decode(changes.get(`${root}/old.txt`)?.bytes)).toBe('old\nmore\n');
			expect(changes.get(`${root}/gone.txt`)?.kind).toBe('remove');
		});

		itWith('modes', 'tells modes and links', async () => {
			const environment = environmentOf();
			const changes: FileChange[] = [];
			environment.onChange((change) => changes.push(change));
			await environment.writeFile('a.sh', 'x');
			await environment.setMode('a.sh', 0o755);
			await environment.symlink('a.sh', 'b.sh');
			await environment.makeDirectory('d');
			await until(() => changes.some((change) => change.kind === 'mkdir'));
			expect(changes.map(({ kind, mode }) => [kind, mode])).toEqual([
				['write', 0o100644],
				['mode', 0o100755],
				['symlink', 0o120000],
				['mkdir', 0o40000]
			]);
			expect(new TextDecoder().decode(changes[2]?.bytes)).toBe('a.sh');
		});

		it('outlives a listener that throws', async () => {
			const environment = environmentOf();
			const seen: number[] = [];
			environment.onChange(() => {
				throw new Error('a bad listener');
			});
			environment.onChange((change) => seen.push(change.seq));
			await environment.writeFile('a.txt', 'x');
			await until(() => seen.length === 1);
		});
	});
}
