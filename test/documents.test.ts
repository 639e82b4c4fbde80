import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { withMeasured, type DatedRow } from '#test/bench/document.ts';
import { startModelServer } from '#test/model-server/server.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

const manifest = z.object({ exports: z.record(z.string(), z.object({ default: z.string() })) });

/** Import of the source that the entry point `'sandglass/llm'` is built from. */
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
	// Run outside of the checkout, so that it leaves nothing there, and from the sources of the entry points.
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

describe('the documents', () => {
	const documents = [
		...readdirSync(root).filter((name) => name.endsWith('.md')),
		...readdirSync(path.join(root, 'docs'))
			.filter((name) => name.endsWith('.md'))
			.map((name) => `docs/${name}`)
	];

	it('link only to files that exist', () => {
		const missing = documents.flatMap((document) => {
			// A regular expression that is quoted may look like a link.
			const text = read(document).replace(/`[^`\n]+`/g, '``');
			const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)|src(?:set)?="([^"]+)"/g)];
			return links
				.map(([, link = '', source = '']) => link || source)
				.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(path.join(root, path.dirname(document), link)))
				.map((link) => `${document}: ${link}`);
		});
		expect(missing).toEqual([]);
	});

	it('name only folders and files of the project that exist', () => {
		const missing = documents.flatMap((document) =>
			[...read(document).matchAll(/`((?:src|server|test|docs|deploy|public)\/[\w./-]*)`/g)]
				.map(([, named = '']) => named)
				// Written by the operator of a server.
				.filter((named) => named !== 'deploy/.env' && !existsSync(path.join(root, named)))
				.map((named) => `${document}: ${named}`)
		);
		expect(missing).toEqual([]);
	});

	it('begin with a README of at most 8,000 characters', () => {
		expect(read('README.md').length).toBeLessThanOrEqual(8_000);
	});

	it('say in the changelog what changed, under the headings of Keep a Changelog', () => {
		const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
		// A merge once left the file empty, unnoticed.
		const [, unreleased = ''] = /^## \[Unreleased\]\n([\s\S]*?)^## \d/m.exec(read('CHANGELOG.md')) ?? [];
		const headings = [...unreleased.matchAll(/^### (.*)$/gm)].map(([, name = '']) => name);
		expect(headings).not.toEqual([]);
		expect(headings.filter((name) => !kinds.includes(name))).toEqual([]);
	});

	it('list each variable that the server reads', () => {
		const listed = read('docs/configuration.md');
		const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' });
		const names = sources
			.filter((name) => name.endsWith('.ts'))
			.flatMap((name) => read(`server/${name}`).match(/\bSANDGLASS_[A-Z_]*[A-Z]\b/g) ?? []);
		expect(new Set(names).size).toBeGreaterThan(8);
		expect([...new Set(names)].filter((name) => !listed.includes(name))).toEqual([]);
	});

	it('have the measured figures of the last whole run of the benchmark', () => {
		const document = read('docs/benchmarks.md');
		const rows = JSON.parse(read('test/bench/results.json')) as DatedRow[];
		expect(rows.length).toBeGreaterThan(20);
		expect(plain(withMeasured(document, rows))).toBe(plain(document));
	});
});

/** Removes the padding that the formatter adds to tables. */
const plain = (document: string): string => document.replaceAll(/[ \t]+/g, ' ').replaceAll(/-{3,}/g, '---');
