import { expect, it } from 'vitest';
import { ChangedPaths } from '#agent/extensions/project-hooks/changed-paths.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';

type Change = Parameters<Parameters<ExecutionEnvironment['onChange']>[0]>[0];

/** An environment whose changes are reported by the test. */
function reporting(workingDirectory: string) {
	const listeners = new Set<(change: Change) => void>();
	const environment = {
		workingDirectory: () => workingDirectory,
		onChange: (listener: (change: Change) => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		}
	} as unknown as ExecutionEnvironment;
	const report = (kind: string, path: string, to?: string): void => {
		for (const listener of listeners) listener({ kind, path, ...(to === undefined ? {} : { to }) } as Change);
	};
	return { environment, report };
}

it('collects files below the working directory, in order, each once', () => {
	const { environment, report } = reporting('/work');
	const changed = new ChangedPaths(environment);
	report('write', '/work/src/b.ts');
	report('write', '/work/src/b.ts');
	report('delete', '/work/a.ts');
	report('mkdir', '/work/new');
	report('rename', '/work/old.ts', '/work/src/moved.ts');
	report('rename', '/tmp/x', '/work/brought.ts');
	report('write', '/workshop/c.ts');
	report('write', '/tmp/d.ts');
	expect(changed.end()).toEqual(['a.ts', 'brought.ts', 'old.ts', 'src/b.ts', 'src/moved.ts']);
	report('write', '/work/late.ts');
	expect(changed.end()).not.toContain('late.ts');
});

it.each(['.git/index', 'node_modules/a/b.js', 'packages/a/node_modules/c.js', 'sub/.git', '.git'])(
	'leaves out what no hook is about: %s',
	(path) => {
		const { environment, report } = reporting('/');
		const changed = new ChangedPaths(environment);
		for (const each of [path, '.gitignore', 'node_modules.md', 'my.git/x']) report('write', `/${each}`);
		expect(changed.end()).toEqual(['.gitignore', 'my.git/x', 'node_modules.md']);
	}
);

it('names 500 files at most', () => {
	const { environment, report } = reporting('/work/');
	const changed = new ChangedPaths(environment);
	for (let index = 0; index < 600; index++) report('write', `/work/${index}`);
	expect(changed.end()).toHaveLength(500);
});
