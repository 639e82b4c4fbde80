import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileChange } from '#environment/contract.ts';
import { EditorLanguage } from '#environment/diagnostics/editor-language.ts';
import { CheckerServer } from '#environment/diagnostics/typescript/serve.ts';

const CONFIG = JSON.stringify({
	compilerOptions: { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
	include: ['src']
});

let root: string;
let language: EditorLanguage;
let journal: ((change: FileChange) => void)[];

beforeEach(async () => {
	root = await realpath(await mkdtemp(path.join(tmpdir(), 'sandglass-language-')));
	journal = [];
	await write('tsconfig.json', CONFIG);
	await write('src/add.ts', '/** Adds two numbers. */\nexport const add = (a: number, b: number): number => a + b;\n');
	await write('src/use.ts', "import { add } from './add';\nexport const sum = add(1, 2);\n");
	language = new EditorLanguage({
		// The worker's own server, without the worker.
		typeScript: async ({ onLine }) => {
			const libraryDirectory = path.dirname(ts.sys.getExecutingFilePath());
			const server = new CheckerServer({ compiler: ts, system: ts.sys, libraryDirectory, root }, onLine);
			return { send: (line) => server.receive(line), kill: () => server.stop() };
		},
		onChange: (listener) => {
			journal.push(listener);
			return () => {};
		}
	});
});
afterEach(async () => {
	language.close();
	await rm(root, { recursive: true });
});

async function write(name: string, text: string): Promise<void> {
	const file = path.join(root, name);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
	for (const listener of journal) listener({ seq: 1, path: file, kind: 'write', mode: 0o100644 });
}

/** A position in a text, marked by `|`. */
function at(name: string, marked: string): { path: string; text: string; at: number } {
	return { path: path.join(root, name), text: marked.replace('|', ''), at: marked.indexOf('|') };
}

describe('the language service of the editor', () => {
	it('completes names of the unsaved text, and imports what another file exports', async () => {
		const members = await language.completions(at('src/use.ts', 'const mine = { first: 1, second: 2 };\nmine.se|'));
		expect(members.map(({ label, kind }) => [label, kind])).toEqual([['second', 'property']]);

		const place = at('src/use.ts', 'export const three = ad|');
		const add = (await language.completions(place)).find(({ label, source }) => label === 'add' && source)!;
		const details = await language.completionDetails(place, add);
		expect(details?.documentation).toBe('Adds two numbers.');
		expect(details?.edits).toEqual([{ from: 0, to: 0, text: expect.stringContaining('import { add } from "./add"') }]);
	});

	it('says what a name is, and where it is defined', async () => {
		const place = at('src/use.ts', "import { add } from './add';\nexport const sum = a|dd(1, 2);\n");
		const hover = await language.hover(place);
		expect(hover?.signature).toContain('add(a: number, b: number): number');
		expect(hover?.documentation).toBe('Adds two numbers.');
		expect(place.text.slice(hover!.from, hover!.to)).toBe('add');
		expect(await language.definition(place)).toEqual([{ path: path.join(root, 'src/add.ts'), line: 2, column: 14 }]);
		// The compiler's own libraries are not part of a project.
		expect(await language.definition(at('src/use.ts', 'export const all = new Ma|p();\n'))).toBeNull();
	});

	it('renames in every file, each edit with the text it replaces', async () => {
		const place = at('src/use.ts', "import { add } from './add';\nexport const sum = ad|d(1, 2);\n");
		expect(await language.renameInfo(place)).toEqual({ name: 'add', from: 48, to: 51 });
		const files = await language.rename(place, 'plus');
		const edits = files.flatMap(({ path: file, edits: own }) =>
			own.map(({ old, text }) => `${path.relative(root, file)} ${old} → ${text}`)
		);
		expect(edits.sort()).toEqual(['src/add.ts add → plus', 'src/use.ts add → plus', 'src/use.ts add → plus']);
		expect(await language.renameInfo(at('src/use.ts', 'const a = |1;\n'))).toHaveProperty('reason');
	});

	it('formats as the file is indented', async () => {
		const text = 'export function f(){\nif(true){return 1}\n}\n';
		const format = async (indent: number | 'tab'): Promise<string> => {
			const edits = await language.format({ path: path.join(root, 'src/f.ts'), text }, indent);
			return edits.reverse().reduce((all, edit) => all.slice(0, edit.from) + edit.text + all.slice(edit.to), text);
		};
		expect(await format('tab')).toBe('export function f() {\n\tif (true) { return 1 }\n}\n');
		expect(await format(2)).toBe('export function f() {\n  if (true) { return 1 }\n}\n');
	});

	it('finds problems of the unsaved text, and of the file on disk once another is asked about', async () => {
		const file = path.join(root, 'src/add.ts');
		const problems = await language.problems({ path: file, text: 'export const add = (a: string): string => b;\n' });
		expect(problems).toEqual([
			{
				path: file,
				line: 1,
				column: 43,
				from: 42,
				to: 43,
				severity: 'error',
				code: 'TS2304',
				message: expect.any(String)
			},
			{
				path: file,
				line: 1,
				column: 21,
				from: 20,
				to: 21,
				severity: 'warning',
				code: 'TS6133',
				message: expect.any(String)
			}
		]);
		expect(await language.savedProblems(path.join(root, 'src/use.ts'))).toEqual([]);
		await write('src/add.ts', 'export const add = (a: number): number => a;\n');
		const after = await language.savedProblems(path.join(root, 'src/use.ts'));
		expect(after?.map(({ code, line }) => [code, line])).toEqual([['TS2554', 2]]);
	});

	it('lists a project’s sources and its declarations by name', async () => {
		const file = path.join(root, 'src/use.ts');
		expect((await language.sources(file)).sort()).toEqual([path.join(root, 'src/add.ts'), file]);
		const symbols = await language.symbols(file, 'ad');
		expect(symbols).toEqual([
			{ name: 'add', kind: 'constant', path: path.join(root, 'src/add.ts'), line: 2, column: expect.any(Number) }
		]);
	});

	it('knows files that no configuration includes', async () => {
		await write('script.js', 'export const answer = 42;\n');
		const place = at('other.mjs', "import { answer } from './script.js';\nans|wer;\n");
		expect((await language.hover(place))?.signature).toContain('answer: 42');
		expect(await language.hover({ path: path.join(root, 'readme.md'), text: 'answer', at: 1 })).toBeNull();
		expect(language.knows('/workspace/readme.md')).toBe(false);
	});
});
