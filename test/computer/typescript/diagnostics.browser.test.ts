import { expect, it } from 'vitest';
import compilerUrl from 'virtual:typescript-compiler';
import librariesUrl from 'virtual:typescript-libraries';
import shellUrl from '#computer/shell/main.ts?program';
import tscUrl from '#computer/typescript/main.ts?program';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { describeDiagnostics } from '#test/contract/diagnostics.ts';
import { sandboxInPage } from '../in-page.ts';

const sandbox = (memory: 'shared' | 'snapshot' = 'shared'): Promise<WasmExecutionEnvironment> =>
	sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.typescript, url: tscUrl }
		],
		{ 'typescript.js': compilerUrl, 'typescript-libraries.json': librariesUrl },
		memory
	);

describeDiagnostics('WasmExecutionEnvironment', { create: sandbox });

it('starts the language service again after it was killed, with the files as they are now', async () => {
	const environment = await sandbox();
	try {
		await environment.writeFile('tsconfig.json', '{"compilerOptions":{"strict":true,"types":[]},"include":["*.ts"]}');
		await environment.writeFile('a.ts', 'export const a: number = 1;\n');
		const wrong = (text: string) => ({
			path: '/workspace/a.ts',
			before: new TextEncoder().encode('export const a: number = 1;\n'),
			after: new TextEncoder().encode(text)
		});
		const ask = (text: string) => environment.diagnostics!.newProblems([wrong(text)], { withinMs: 50_000 });
		expect((await ask('export const a: number = "1";\n')).problems).toHaveLength(1);
		const killed = await environment.exec("kill -9 $(ps | awk '/typescript-diagnostics/ { print $1; exit }')");
		expect(killed.exitCode).toBe(0);
		expect((await ask('export const a: number = "2";\n')).problems).toHaveLength(1);
	} finally {
		await environment.cleanup();
	}
});

it('looks at the files of a copy in the copy, and is not offered where programs see old files', async () => {
	const environment = await sandbox();
	await environment.writeFile('tsconfig.json', '{"compilerOptions":{"types":[]},"include":["*.ts"]}');
	const copy = await environment.overlay();
	const after = new TextEncoder().encode('export const a: number = "1";\n');
	await copy.writeFile('a.ts', after);
	const edit = { path: '/workspace/a.ts', before: null, after };
	expect((await copy.diagnostics!.newProblems([edit], { withinMs: 50_000 })).problems).toHaveLength(1);
	await copy.cleanup();
	await environment.cleanup();
	const withoutMemory = await sandbox('snapshot');
	expect(withoutMemory.diagnostics).toBeUndefined();
	await withoutMemory.cleanup();
});
