import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { describeDiagnostics } from '#test/contract/diagnostics.ts';
import { buildWorkerScript } from '../diagnostics/worker-script.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

describeDiagnostics('LocalExecutionEnvironment', {
	create: async () => createTemporary({ diagnosticsScript: await buildWorkerScript() }),
	dispose: removeTemporary
});

const python = spawnSync('python3', ['--version']).status === 0;

it.skipIf(!python)(
	`tells by compiling what a change of Python broke${python ? '' : ' (skipped: no python3)'}`,
	async () => {
		const environment = await createTemporary();
		// Modules of the project with names of Python's own are not run.
		await environment.writeFile('json.py', 'raise SystemExit(1)\n');
		const path = `${environment.workingDirectory()}/broken.py`;
		const ask = (before: string, after: string) => {
			const edits = [{ path, before: new TextEncoder().encode(before), after: new TextEncoder().encode(after) }];
			return environment.diagnostics!.newProblems(edits, { withinMs: 20_000 });
		};
		expect((await ask('x = 1\n', 'def f():\n    return (1\n')).problems).toMatchObject([
			{ path, line: 2, severity: 'error' }
		]);
		expect((await ask('x = (\n', 'y = (\n')).problems).toEqual([]);
		expect((await ask('x = (\n', 'open("made", "w")\n')).problems).toEqual([]);
		expect(await environment.fileExists('made')).toBe(false);
		await environment.cleanup();
		await removeTemporary();
	}
);

it('finds nothing, and says nothing, where the script of its thread is not there', async () => {
	const environment = await createTemporary({ diagnosticsScript: new URL('file:///nowhere.mjs') });
	const after = new TextEncoder().encode('const n: number = (;');
	const edits = [{ path: `${environment.workingDirectory()}/a.ts`, before: null, after }];
	expect(await environment.diagnostics!.newProblems(edits, { withinMs: 20_000 })).toEqual({ problems: [] });
	await environment.cleanup();
	await removeTemporary();
});
