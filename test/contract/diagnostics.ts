import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment, NewProblems } from '#environment/contract.ts';

export interface DiagnosticsSuite {
	/** Has an empty working directory. */
	create(): Promise<ExecutionEnvironment>;
	dispose?(): Promise<void>;
}

/** Enough for any machine: the speed is measured in `test/bench`. */
const PATIENT = { withinMs: 50_000 };
const STRICT = JSON.stringify({
	compilerOptions: { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
	include: ['src']
});

/** Tests diagnostics of a change, in every environment that supports them. */
export function describeDiagnostics(name: string, suite: DiagnosticsSuite): void {
	describe(`${name}: new problems after a change`, () => {
		let environment: ExecutionEnvironment;
		const absolute = (path: string): string => `${environment.workingDirectory()}/${path}`;
		const bytesOf = async (path: string): Promise<Uint8Array | null> =>
			(await environment.fileExists(path)) ? environment.readBytes(path) : null;

		/** Writes (or with `null` removes) files and returns the new problems. */
		const change = async (files: Record<string, string | null>): Promise<NewProblems> => {
			const edits = [];
			for (const [path, text] of Object.entries(files)) {
				const before = await bytesOf(path);
				if (text === null) await environment.remove(path);
				else await environment.writeFile(path, text);
				edits.push({ path: absolute(path), before, after: await bytesOf(path) });
			}
			return environment.diagnostics!.newProblems(edits, PATIENT);
		};
		const told = ({ problems }: NewProblems): string[] =>
			problems.map(
				({ path, line, code }) => `${path.slice(environment.workingDirectory().length + 1)}:${line} ${code ?? ''}`
			);

		beforeAll(async () => {
			environment = await suite.create();
			await environment.writeFile('tsconfig.json', STRICT);
			await environment.writeFile('src/add.ts', 'export const add = (a: number, b: number): number => a + b;\n');
			await environment.writeFile('src/index.ts', "export * from './add';\n");
			await environment.writeFile('src/use.ts', "import { add } from './index';\nexport const sum = add(1, 2);\n");
			await environment.writeFile('src/old.ts', 'export const old: number = "wrong from the start";\n');
		});
		afterAll(async () => {
			await environment.cleanup();
			await suite.dispose?.();
		});

		it('are reported with their place and code, once [A-11]', async () => {
			const text = 'export const add = (a: number, b: number): number => a + b;\nexport const n: number = "n";\n';
			const result = await change({ 'src/add.ts': text });
			expect(result.problems).toEqual([
				{
					path: absolute('src/add.ts'),
					line: 2,
					column: 14,
					severity: 'error',
					code: 'TS2322',
					message: "Type 'string' is not assignable to type 'number'."
				}
			]);
			expect(told(await change({ 'src/add.ts': `// A line above moves it.\n${text}` }))).toEqual([]);
		});

		it('leave out what was wrong before, also where its line moves or another joins it', async () => {
			expect(told(await change({ 'src/old.ts': '\n\nexport const old: number = "wrong from the start";\n' }))).toEqual(
				[]
			);
			const both = '\n\nexport const old: number = "wrong from the start";\nexport const more: number = "more";\n';
			expect(told(await change({ 'src/old.ts': both }))).toEqual(['src/old.ts:4 TS2322']);
		});

		it('are reported in files that import the changed one, through others too', async () => {
			const result = await change({ 'src/add.ts': 'export const add = (a: string): string => a;\n' });
			expect(told(result)).toEqual(['src/use.ts:2 TS2554']);
			const back = await change({ 'src/add.ts': 'export const add = (a: number, b: number): number => a + b;\n' });
			expect(told(back)).toEqual([]);
		});

		it('are reported where declarations have the same words and mean something else', async () => {
			await change({
				'src/shape.ts': 'export interface Shape { sides: number }\n',
				'src/make.ts': "import type { Shape } from './shape';\nexport const make = (): Shape => ({ sides: 3 });\n",
				'src/draw.ts': "import { make } from './make';\nexport const sides: number = make().sides;\n"
			});
			const result = await change({ 'src/shape.ts': 'export interface Shape { sides: string }\n' });
			expect(told(result).sort()).toEqual(['src/draw.ts:2 TS2322', 'src/make.ts:2 TS2322']);
			expect(told(await change({ 'src/shape.ts': 'export interface Shape { sides: number }\n' }))).toEqual([]);
		});

		it('are those of a file that came, and those that a removed one leaves behind', async () => {
			expect(told(await change({ 'src/new.ts': 'export const x: string = 1;\n' }))).toEqual(['src/new.ts:1 TS2322']);
			expect(told(await change({ 'src/user.ts': "import { x } from './new';\nexport const y = x;\n" }))).toEqual([]);
			expect(told(await change({ 'src/new.ts': null }))).toEqual(['src/user.ts:1 TS2307']);
			// A file is moved and its importer changed in one patch: no problem.
			const moved = { 'src/lib/add.ts': 'export const add = (a: number, b: number): number => a + b;\n' };
			const index = { 'src/index.ts': "export * from './lib/add';\n" };
			expect(told(await change({ ...moved, ...index, 'src/add.ts': null }))).toEqual([]);
		});

		it('count what a command wrote as there before', async () => {
			await environment.exec(`printf 'export const s: string = 5;\\n' > src/shell.ts`);
			const after = await change({ 'src/use.ts': "import { s } from './shell';\nexport const t: number = s;\n" });
			expect(told(after)).toEqual(['src/use.ts:2 TS2322']);
			expect(told(await change({ 'src/shell.ts': 'export const s: string = 5; // still\n' }))).toEqual([]);
		});

		it('stop at the parser where the text does not parse', async () => {
			const result = await change({ 'src/lib/add.ts': 'export const add = (a: number =>;\n' });
			expect(told(result).every((line) => /^src\/lib\/add\.ts:1 TS1\d{3}$/.test(line))).toBe(true);
			expect(result.problems.length).toBeGreaterThan(0);
			await change({ 'src/lib/add.ts': 'export const add = (a: number, b: number): number => a + b;\n' });
		});

		it('are only those of the parser where no configuration chooses the file', async () => {
			const guess = 'const n = require("nowhere"); n.any.thing(window.foo, undefinedName);\n';
			expect(
				told(await change({ 'scripts/run.js': guess, 'scripts/run.ts': `const s: string = 1;\n${guess}` }))
			).toEqual([]);
			expect(told(await change({ 'scripts/run.js': `${guess}let = 1 1;\n` }))).toEqual(['scripts/run.js:2 TS1005']);
		});

		it('say nothing of packages that are not installed, nor of what bundlers take', async () => {
			await environment.writeFile('app/package.json', '{"dependencies":{"react":"*"}}');
			await environment.writeFile('app/tsconfig.json', STRICT);
			const text = [
				"import { useState } from 'react';",
				"import logo from './logo.svg';",
				'export const twice = useState.map((value) => [process.env, logo, value]);',
				'export const wrong: number = "n";'
			].join('\n');
			expect(told(await change({ 'app/src/app.ts': text }))).toEqual(['app/src/app.ts:4 TS2322']);
		});

		it('are found in JSON by its parser', async () => {
			const { problems } = await change({ 'data.json': '{\n\t"a": 1,\n}\n' });
			expect(problems).toMatchObject([{ path: absolute('data.json'), severity: 'error', message: expect.any(String) }]);
			expect(told(await change({ 'data.json': '{\n\t"a": 2,\n}\n' }))).toEqual([]);
			expect(told(await change({ 'tsconfig.json': `// Comments may be here.\n${STRICT}` }))).toEqual([]);
		});

		it('are none when there is no time for them, nor for what is no text', async () => {
			const { diagnostics } = environment;
			const before = new TextEncoder().encode('export {};\n');
			const after = new TextEncoder().encode('export const a: number = "";\n');
			const edit = { path: absolute('src/quick.ts'), before, after };
			await expect(diagnostics!.newProblems([edit], { withinMs: 0 })).resolves.toEqual({ problems: [] });
			const strange = { ...edit, after: new Uint8Array([0xff, 0xfe, 0x00]) };
			await expect(diagnostics!.newProblems([strange], PATIENT)).resolves.toEqual({ problems: [] });
		});
	});
}
