import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startModelServer } from './model-server/server.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

const manifest = z.object({ exports: z.record(z.string(), z.object({ default: z.string() })) });

/** `'sandglass/llm'` as an import of what that entry point is built from. */
function entrySource(_: string, subpath = ''): string {
	const { exports } = manifest.parse(JSON.parse(read('package.json')));
	const built = exports[`.${subpath}`]?.default ?? `no entry point .${subpath}`;
	return `'${path.join(root, built.replace('dist/library', 'src').replace(/\.js$/, '.ts'))}'`;
}

it("runs the README's example as it stands there", { timeout: 90_000 }, async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-readme-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	writeFileSync(path.join(folder, 'sum.test.js'), "test('adds', () => {});\n");
	const model = await startModelServer({
		name: 'readme',
		turns: [
			{ text: 'I look.', toolCalls: [{ name: 'shell', arguments: { command: 'ls' } }] },
			{ text: 'One test, which adds.' }
		]
	});
	onTestFinished(() => model.close());

	const example = /```js\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
	expect(example).toContain('new Session(');
	// Run outside of the checkout, so that nothing is left in it, and from the sources behind the entry points.
	writeFileSync(path.join(folder, 'example.ts'), example.replaceAll(/'sandglass(\/[\w/]+)?'/g, entrySource));
	const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');
	const child = spawn(process.execPath, [jiti, 'example.ts'], {
		cwd: folder,
		env: { PATH: process.env.PATH, HOME: folder, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model.url },
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
	expect(errors).toBe('');
	expect(code).toBe(0);
	expect(output).toMatch(/I look\.[\s\S]*Bash[\s\S]*ls[\s\S]*One test, which adds\./);
	expect(JSON.stringify(model.requests[1]?.body)).toContain('sum.test.js');
});

it('names in the threat model only files and tests that exist', () => {
	const threats = read('THREAT_MODEL.md');
	const missing: string[] = [];
	const exists = (file: string): boolean => {
		const there = existsSync(path.join(root, file));
		if (!there) missing.push(file);
		return there;
	};
	let named = 0;
	for (const line of threats.split('\n')) {
		for (const [, file = ''] of line.matchAll(/`((?:src|server|docs)\/[^`]+)`/g)) exists(file);
		let source = '';
		for (const [, file, title] of line.matchAll(/`(test\/[^`]+)`|“([^”]+)”/g)) {
			if (file !== undefined) source = exists(file) ? read(file) : '';
			else if (title !== undefined && line.includes('`test/')) {
				named++;
				if (!source.includes(title)) missing.push(title);
			}
		}
	}
	expect(missing).toEqual([]);
	expect(named).toBeGreaterThan(50);
});

it('has every requirement once, with its meaning', () => {
	const lines = read('test/requirements.tsv').trim().split('\n');
	expect(lines.filter((line) => !/^[\w.-]+\t[A-Z].*\.$/.test(line))).toEqual([]);
	expect(new Set(lines.map((line) => line.split('\t')[0])).size).toBe(lines.length);
});
