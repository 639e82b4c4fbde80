import { afterAll, beforeAll, expect, it } from 'vitest';
import compilerUrl from 'virtual:typescript-compiler';
import librariesUrl from 'virtual:typescript-libraries';
import shellUrl from '#computer/shell/main.ts?program';
import tscUrl from '#computer/typescript/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment;
const run = (command: string) => sandbox.exec(command, { timeoutMs: 55_000 });

beforeAll(async () => {
	sandbox = await sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.typescript, url: tscUrl }
		],
		{ 'typescript.js': compilerUrl, 'typescript-libraries.json': librariesUrl }
	);
	await sandbox.writeFile('package.json', '{"type":"module"}');
	const options = {
		strict: true,
		lib: ['es2022'],
		target: 'es2022',
		module: 'nodenext',
		rootDir: 'src',
		outDir: 'dist',
		types: []
	};
	await sandbox.writeFile('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
	await sandbox.writeFile('src/add.ts', 'export const add = (a: number, b: number): number => a + b;\n');
	await sandbox.writeFile('src/main.ts', "import { add } from './add.js';\nexport const text: string = add(1, 2);\n");
});
afterAll(() => sandbox.cleanup());

it('checks a project and says what is wrong where, as tsc does', async () => {
	const { stdout, exitCode } = await run('tsc --noEmit');
	expect(stdout).toBe("src/main.ts(2,14): error TS2322: Type 'number' is not assignable to type 'string'.\n");
	expect(exitCode).toBe(2);
	await expect(sandbox.fileExists('dist/add.js')).resolves.toBe(false);
});

it('writes JavaScript and declarations, by project and by file', async () => {
	await sandbox.writeFile('src/main.ts', "import { add } from './add.js';\nexport const sum = add(1, 2);\n");
	const { stdout, exitCode } = await run('tsc -p . --declaration');
	expect([stdout, exitCode]).toEqual(['', 0]);
	expect(await sandbox.readFile('dist/main.js')).toContain('export const sum = add(1, 2);');
	expect(await sandbox.readFile('dist/main.d.ts')).toContain('export declare const sum: number;');
});

it('tells its version and makes a tsconfig.json', async () => {
	expect((await run('tsc --version')).stdout).toMatch(/^Version 6\./);
	const { exitCode } = await run('mkdir fresh && cd fresh && tsc --init');
	expect(exitCode).toBe(0);
	expect(await sandbox.readFile('fresh/tsconfig.json')).toContain('compilerOptions');
});

it("takes the project's own compiler, and says so where that is native", async () => {
	await sandbox.writeFile('own/node_modules/typescript/package.json', '{"version":"0.0.1"}');
	expect((await run('cd own && tsc --version')).stderr).toContain('is native code, which cannot run here');
	const fake =
		"module.exports = { version: '0.0.1', setSys() {}, executeCommandLine: (system) => { system.write('Version 0.0.1\\n'); system.exit(3); } };";
	await sandbox.writeFile('own/node_modules/typescript/lib/typescript.js', fake);
	expect(await run('cd own && tsc --version')).toMatchObject({ stdout: 'Version 0.0.1\n', exitCode: 3 });
});
