import { afterAll, beforeAll, expect, it } from 'vitest';
import esbuildWasm from 'esbuild-wasm/esbuild.wasm?url';
import esbuildUrl from '#computer/esbuild/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment;
const run = (command: string, stdin?: string) => sandbox.exec(command, { timeoutMs: 50_000, stdin });

beforeAll(async () => {
	sandbox = await sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.node, url: nodeUrl },
			{ ...PROGRAMS.esbuild, url: esbuildUrl }
		],
		{ 'esbuild.wasm': esbuildWasm }
	);
	await sandbox.writeFile(
		'src/main.tsx',
		`import { add } from './add';\nimport { h } from 'tiny';\nexport const view = <p>{add(1, 2) as number}</p>;\nconsole.log(JSON.stringify(view));\n`
	);
	await sandbox.writeFile(
		'src/add.ts',
		'export const add = (a: number, b: number): number => a + b;\nexport const unused = 1;\n'
	);
	await sandbox.writeFile('node_modules/tiny/package.json', '{"name":"tiny","main":"./lib.js"}');
	await sandbox.writeFile(
		'node_modules/tiny/lib.js',
		'exports.h = (tag, props, ...children) => ({ tag, children });\n'
	);
});
afterAll(() => sandbox.cleanup());

it('bundles TypeScript, JSX and packages into a file that runs', async () => {
	const built = await run('esbuild src/main.tsx --bundle --jsx-factory=h --outfile=out/app.js');
	expect(built.stderr).toMatch(/out\/app\.js\s+\d/);
	expect(built.exitCode).toBe(0);
	const ran = await run('node out/app.js');
	expect(ran.stdout).toBe('{"tag":"p","children":[3]}\n');
	expect(await sandbox.readFile('out/app.js')).not.toContain('unused');
});

it('takes formats, minifying, source maps and several outputs', async () => {
	const { exitCode } = await run('esbuild src/add.ts --format=cjs --minify --sourcemap --outdir=out/min');
	expect(exitCode).toBe(0);
	expect((await sandbox.readFile('out/min/add.js')).split('\n')[0]).toMatch(/module\.exports=/);
	expect(JSON.parse(await sandbox.readFile('out/min/add.js.map'))).toMatchObject({ sources: ['../../src/add.ts'] });
});

it('transforms what is piped into it and prints the result', async () => {
	const { stdout } = await run("echo 'let x: number = 1' | esbuild --loader=ts");
	expect(stdout).toBe('let x = 1;\n');
});

it('shows where a mistake is and ends with 1', async () => {
	await sandbox.writeFile('bad.ts', 'import "./nowhere";\nlet = ;\n');
	const { stderr, exitCode } = await run('esbuild bad.ts --bundle --outfile=out/bad.js');
	expect(exitCode).toBe(1);
	expect(stderr).toContain('[ERROR]');
	expect(stderr).toContain('bad.ts:2:');
});

it('refuses to watch, with what to do instead', async () => {
	const { stderr, exitCode } = await run('esbuild src/add.ts --watch --outdir=out');
	expect(exitCode).toBe(1);
	expect(stderr).toContain('Run the same command without it');
});
