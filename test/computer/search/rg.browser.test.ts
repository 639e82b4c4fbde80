import { afterAll, beforeAll, expect, it } from 'vitest';
import rgWasm from 'virtual:ripgrep-module';
import searchUrl from '#computer/search/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment;
const out = async (command: string) => {
	const { stdout, exitCode } = await sandbox.exec(command, { timeoutMs: 50_000 });
	return `${stdout}${exitCode}`;
};

beforeAll(async () => {
	sandbox = await sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.search, url: searchUrl }
		],
		{ 'rg.wasm': rgWasm }
	);
	await sandbox.writeFile('src/a.ts', 'export const needle = 1;\nlet hay = 2;\n');
	await sandbox.writeFile('src/deep/b.ts', 'import { needle } from "../a";\n');
	await sandbox.writeFile('.gitignore', 'dist/\n');
	await sandbox.writeFile('.git/HEAD', 'ref: refs/heads/main\n');
	await sandbox.writeFile('dist/c.ts', 'needle\n');
});
afterAll(() => sandbox.cleanup());

it('finds lines, names files and numbers lines as ripgrep does', async () => {
	expect(await out('rg -n needle --sort path')).toBe(
		'src/a.ts:1:export const needle = 1;\nsrc/deep/b.ts:1:import { needle } from "../a";\n0'
	);
	expect(await out('rg -l needle src/deep')).toBe('src/deep/b.ts\n0');
	expect(await out('cd src && rg -c needle --sort path')).toBe('a.ts:1\ndeep/b.ts:1\n0');
	expect(await out('rg --files --sort path')).toBe('src/a.ts\nsrc/deep/b.ts\n0');
	expect(await out('rg -g "*.ts" -o "n\\w+e" /workspace/src/a.ts')).toBe('needle\n0');
});

it('sees what has changed since the last search, in its own volume only', async () => {
	const find = () => out('cd kept && rg --no-ignore --no-heading -N "word" --sort path');
	await sandbox.exec('mkdir -p kept/one && ln -s one kept/link');
	for (const name of ['one/a', 'one/b', 'c']) await sandbox.writeFile(`kept/${name}`, `word of ${name}\n`);
	const whole = 'c:word of c\none/a:word of one/a\none/b:word of one/b\n0';
	expect([await find(), await find()]).toEqual([whole, whole]);
	await sandbox.writeFile('kept/c', 'word in c\n');
	expect(await find()).toBe(whole.replace('of c', 'in c'));
	await sandbox.exec('cd kept && mv one two && mkdir one && mv two/b one/a && rm two/a');
	expect(await find()).toBe('c:word in c\none/a:word of one/b\n0');
	expect(await out('cd kept/link && rg -N word')).toBe('a:word of one/b\n0');
	await sandbox.writeFile('kept/one/a', 'another word\n');
	expect(await out('cd kept/link && rg -N word')).toBe('a:another word\n0');
	const fork = await sandbox.overlay();
	await fork.writeFile('kept/c', 'word in the fork\n');
	expect(await fork.grep('fork', 'kept')).toContain('word in the fork');
	expect(await find()).toBe('c:word in c\none/a:another word\n0');
	await fork.cleanup();
	await sandbox.remove('kept', { recursive: true });
});

it('says by its exit code whether it found something or was called wrongly', async () => {
	expect(await out('rg nowhere')).toBe('1');
	expect(await out('rg "(" src 2>/dev/null')).toBe('2');
	expect(await out('rg x missing 2>/dev/null')).toBe('2');
});

it('leaves out what .gitignore does, also deep in the tree, unless it is asked for', async () => {
	await sandbox.exec('mkdir -p repo/pkg/node_modules/dep repo/node_modules/dep repo/src && mkdir repo/.git');
	await sandbox.writeFile('repo/.gitignore', 'node_modules/\n*.log\n');
	for (const name of [
		'pkg/node_modules/dep/a.js',
		'node_modules/dep/a.js',
		'src/a.js',
		'src/b.js',
		'src/c.js',
		'x.log'
	])
		await sandbox.writeFile(`repo/${name}`, 'pin\n');
	expect(await out('cd repo && rg -l pin --sort path')).toBe('src/a.js\nsrc/b.js\nsrc/c.js\n0');
	expect(await out('cd repo && rg --files --sort path')).toBe('src/a.js\nsrc/b.js\nsrc/c.js\n0');
	expect(await out('cd repo && rg -l pin node_modules')).toBe('node_modules/dep/a.js\n0');
	expect(await out('cd repo && rg -l pin src node_modules --sort path')).toBe(
		'src/a.js\nsrc/b.js\nsrc/c.js\nnode_modules/dep/a.js\n0'
	);
	expect(await out('cd repo && rg -lu pin | sort')).toBe(
		'node_modules/dep/a.js\npkg/node_modules/dep/a.js\nsrc/a.js\nsrc/b.js\nsrc/c.js\nx.log\n0'
	);
	await sandbox.writeFile('repo/.gitignore', 'node_modules/*\n!node_modules/dep\n');
	expect(await out('cd repo && rg -l pin | sort')).toBe(
		'node_modules/dep/a.js\npkg/node_modules/dep/a.js\nsrc/a.js\nsrc/b.js\nsrc/c.js\nx.log\n0'
	);
	await sandbox.exec('ln -s ../src repo/pkg/linked');
	expect(await out('cd repo && rg -l pin pkg/linked --sort path')).toBe(
		'pkg/linked/a.js\npkg/linked/b.js\npkg/linked/c.js\n0'
	);
});

it('searches what is piped into it', async () => {
	expect(await out('cat src/a.ts | rg needle')).toBe('export const needle = 1;\n0');
	expect(await out('cat src/a.ts | rg -n hay | rg -o "\\d" | head -1')).toBe('2\n0');
});

it('searches 5,000 files', async () => {
	async function* files() {
		const text = 'lorem ipsum dolor sit amet consectetur\n'.repeat(125);
		for (let index = 0; index < 5000; index++) {
			const bytes = new TextEncoder().encode(`${text}${index === 4321 ? 'the one needle2\n' : ''}`);
			yield { path: `big/${index % 100}/f${index}.txt`, mode: 0o644, bytes };
		}
	}
	await sandbox.load(files());
	expect(await out('rg -l needle2 big')).toBe('big/21/f4321.txt\n0');
});
