import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildLibrary, CONSUMER, packLibrary, runReadmeExample } from '#test/package/library.ts';

const root = path.resolve(import.meta.dirname, '..');
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });
/** A project with everything, and one with the library alone. */
let project = '';
let small = '';

/** Packs what is published to npm and installs it in an empty project, with its dependencies. */
function install(what: 'everything' | 'library', beside: string[]): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-package-'));
	const tarball = packLibrary(folder, what);
	const modules = path.join(folder, 'node_modules');
	mkdirSync(path.join(modules, 'sandglass'), { recursive: true });
	const unpack = ['-xzf', tarball, '-C', path.join(modules, 'sandglass'), '--strip-components=1'];
	execFileSync('tar', unpack);
	const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(modules, 'sandglass/package.json'), 'utf8')));
	for (const name of [...Object.keys(manifest.dependencies), ...beside]) {
		const link = path.join(modules, name);
		mkdirSync(path.dirname(link), { recursive: true });
		symlinkSync(path.join(root, 'node_modules', name), link);
	}
	writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
	return folder;
}

beforeAll(() => {
	buildLibrary();
	project = install('everything', ['@types/node', 'typescript']);
	small = install('library', []);
}, 180_000);
afterAll(() => {
	for (const folder of [project, small]) rmSync(folder, { recursive: true, force: true });
});

describe('the library alone', () => {
	it('says how to install the SDK of the provider that is used', { timeout: 90_000 }, async () => {
		const { code, output, errors } = await runReadmeExample(small, 'One test.');
		expect({ code, output }).toEqual({ code: 0, output: '' });
		expect(errors).toContain(
			'The package @anthropic-ai/sdk is not installed. Install it to use this: npm install @anthropic-ai/sdk'
		);
	});

	it('runs the README’s example once that is installed', { timeout: 90_000 }, async () => {
		mkdirSync(path.join(small, 'node_modules/@anthropic-ai'));
		symlinkSync(path.join(root, 'node_modules/@anthropic-ai/sdk'), path.join(small, 'node_modules/@anthropic-ai/sdk'));
		expect(await runReadmeExample(small, 'One test.')).toEqual({ code: 0, output: 'One test.', errors: '' });
	});

	it('has neither the page nor the command', () => {
		const folder = path.join(small, 'node_modules/sandglass');
		expect([...readdirSync(path.join(folder, 'dist')), existsSync(path.join(folder, 'dist/library/cli'))]).toEqual([
			'library',
			false
		]);
	});
});

describe('the library in an empty project', () => {
	it('runs the README’s example', { timeout: 90_000 }, async () => {
		const ran = await runReadmeExample(project, 'One test.');
		expect(ran).toEqual({ code: 0, output: 'One test.', errors: '' });
	});

	it(
		'tells what a change of TypeScript broke, with the compiler beside it, and keeps no process',
		{ timeout: 90_000 },
		async () => {
			const source = `
			import { mkdirSync, writeFileSync } from 'node:fs';
			import { LocalExecutionEnvironment } from 'sandglass/environment/local';
			const workingDirectory = process.cwd() + '/broken';
			mkdirSync(workingDirectory);
			writeFileSync(workingDirectory + '/tsconfig.json', '{ "compilerOptions": { "types": [] } }');
			const environment = new LocalExecutionEnvironment({ workingDirectory });
			const after = new TextEncoder().encode('export const a: number = "a";');
			await environment.writeFile('a.ts', after);
			const edit = { path: environment.workingDirectory() + '/a.ts', before: null, after };
			const { problems } = await environment.diagnostics.newProblems([edit], { withinMs: 60_000 });
			process.stdout.write(problems.map(({ code }) => code).join());
		`;
			writeFileSync(path.join(project, 'diagnostics.mjs'), source);
			const child = spawn(process.execPath, ['diagnostics.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
			const [[code], output, errors] = await Promise.all([
				once(child, 'close'),
				text(child.stdout),
				text(child.stderr)
			]);
			expect({ code, output, errors }).toEqual({ code: 0, output: 'TS2322', errors: '' });
		}
	);

	it('has types for every entry point', { timeout: 90_000 }, () => {
		const file = path.join(project, 'consumer.ts');
		writeFileSync(file, CONSUMER);
		const program = ts.createProgram([file], {
			module: ts.ModuleKind.NodeNext,
			moduleResolution: ts.ModuleResolutionKind.NodeNext,
			target: ts.ScriptTarget.ES2022,
			strict: true,
			noEmit: true,
			skipLibCheck: true,
			types: ['node'],
			typeRoots: [path.join(project, 'node_modules/@types')]
		});
		const said = ts
			.getPreEmitDiagnostics(program)
			.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
		expect(said).toEqual([]);
	});

	it('goes through a bundler, for a page', { timeout: 90_000 }, async () => {
		const entry = path.join(project, 'page.js');
		const source = `import { Session, createPiProfile } from 'sandglass'; import { createClient } from 'sandglass/llm'; export { Session, createPiProfile, createClient };`;
		writeFileSync(entry, source);
		const output = await build({
			root: project,
			configFile: false,
			logLevel: 'silent',
			build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'page' } }
		});
		const chunks = z
			.array(z.object({ output: z.array(z.looseObject({ fileName: z.string(), code: z.string().optional() })) }))
			.parse(output);
		const main = chunks[0]?.output.find(({ fileName }) => fileName.startsWith('page'));
		expect(main?.code).toContain('class Session');
		expect(chunks[0]?.output.map(({ code }) => code).join()).not.toMatch(/from ["']node:/);
	});
});
