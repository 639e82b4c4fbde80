// `npm run check`: format, lint, types, unused code, import direction, documents, lengths, words, bundle budget.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, install, root } from '../server/prepare.mjs';
import { findLongFunctions, MAX_FUNCTION_LINES } from './check/function-lengths.mjs';
import { findWords } from './check/words.mjs';

const BUDGET = { js: 90 * 1024, css: 12 * 1024 };
const MAX_LINES = 600;

process.chdir(root);
install();

/** Programs of the check, longest first; two run at a time, since some take 2 GB. */
const TOOLS = [
	['lint', 'eslint', ['--max-warnings', '0', 'src', 'server', 'test']],
	['types', 'svelte-check', ['--tsconfig', './tsconfig.json', '--threshold', 'error', '--output', 'machine']],
	['import direction', 'depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'src', 'server']],
	// A file that has not changed since it passed is not checked again.
	[
		'format',
		'prettier',
		[
			...['--cache', '--cache-strategy', 'content', '--cache-location', 'node_modules/.cache/check/format'],
			...['--check', '--log-level', 'warn', 'src', 'server', 'test', '*.ts', '*.js']
		]
	],
	['unused code', 'knip', ['--no-progress']],
	['documents', 'vitest', ['run', '--project', 'node', 'test/documents.test.ts', '-t', 'the documents']]
];
const waiting = [...TOOLS];
const results = [];
const worker = async () => {
	for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await tool(...next));
};
await Promise.all([worker(), worker()]);
results.push(fileLengths(), functionLengths(), words(), ignoredFormats(), firstLoad(), chunkCircles());

for (const { name, ok, output, seconds } of results) {
	console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}${seconds === undefined ? '' : ` (${Math.round(seconds)} s)`}`);
	if (!ok) console.log(output.trim());
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

function tool(name, command, args) {
	const startedMs = performance.now();
	return new Promise((resolve) => {
		const child = spawn(path.join(root, 'node_modules/.bin', command), args, { cwd: root, shell: false });
		let output = '';
		child.stdout.on('data', (data) => (output += data));
		child.stderr.on('data', (data) => (output += data));
		child.on('error', (error) => resolve({ name, ok: false, output: error.message }));
		child.on('close', (code) =>
			resolve({ name, ok: code === 0, output, seconds: (performance.now() - startedMs) / 1_000 })
		);
	});
}

function fileLengths() {
	const long = [];
	const lengths = [];
	for (const file of sources('src').concat(sources('server'))) {
		const lines = readFileSync(file, 'utf8').split('\n').length;
		lengths.push(lines);
		if (lines > MAX_LINES) long.push(`${path.relative(root, file)}: ${lines} lines`);
	}
	lengths.sort((a, b) => a - b);
	const median = lengths[lengths.length >> 1];
	return {
		name: `file sizes (median ${median} lines, longest ${lengths.at(-1)})`,
		ok: long.length === 0 && median < 100,
		output: long.join('\n')
	};
}

/** Checks the length of functions; see `test/check/function-lengths.mjs`. */
function functionLengths() {
	const long = findLongFunctions([...sources('src'), ...sources('server')], root);
	return { name: `functions (at most ${MAX_FUNCTION_LINES} lines)`, ok: long.length === 0, output: long.join('\n') };
}

/** Checks that comments are in plain English; see `test/check/words.mjs`. */
function words() {
	const findings = [
		...findWords([...sources('src'), ...sources('server')], root, { openings: true }),
		...findWords(sources('test'), root, { openings: false })
	];
	return { name: 'words', ok: findings.length === 0, output: findings.join('\n') };
}

/** Checks that the formatter is never disabled: a line too long to format is too long to read. */
function ignoredFormats() {
	const directive = ['prettier', 'ignore'].join('-');
	const found = [...sources('src'), ...sources('server'), ...sources('test')].filter((file) =>
		readFileSync(file, 'utf8').includes(directive)
	);
	return {
		name: 'no ignored formats',
		ok: found.length === 0,
		output: found.map((file) => path.relative(root, file)).join('\n')
	};
}

function sources(folder) {
	return (
		readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
			.filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
			.map((entry) => path.join(entry.parentPath, entry.name))
			// The benchmarks have their own packages.
			.filter((file) => !file.includes('/node_modules/'))
	);
}

/**
 * Checks the size of what the browser fetches before the front page is shown: the page's own scripts, their static
 * imports, and styles.
 */
function firstLoad() {
	build();
	const page = path.join(root, 'dist/page');
	const html = readFileSync(path.join(page, 'index.html'), 'utf8');
	const seen = new Set();
	const sizes = { js: 0, css: 0 };
	const visit = (file) => {
		if (seen.has(file)) return;
		seen.add(file);
		const bytes = readFileSync(file);
		sizes[file.endsWith('.css') ? 'css' : 'js'] += gzipSync(bytes, { level: 9 }).length;
		if (!file.endsWith('.js')) return;
		for (const imported of importsOf(file)) visit(imported);
	};
	for (const [, name] of html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)) visit(path.join(page, name));
	const total = `${(sizes.js / 1024).toFixed(1)} KB JS, ${(sizes.css / 1024).toFixed(1)} KB CSS, gzipped`;
	return {
		name: `first load (${total})`,
		ok: sizes.js <= BUDGET.js && sizes.css <= BUDGET.css,
		output: 'over the budget of 90 KB JS and 12 KB CSS'
	};
}

/**
 * Finds chunks that import each other: then one of them may run before the class it extends, depending on the load
 * order.
 */
function chunkCircles() {
	const folder = path.join(root, 'dist/page/assets');
	const found = new Set();
	const finished = new Set();
	const visit = (file, above) => {
		const at = above.indexOf(file);
		if (at >= 0) return found.add([...above.slice(at), file].map((each) => path.basename(each)).join(' -> '));
		if (finished.has(file)) return;
		for (const imported of importsOf(file)) visit(imported, [...above, file]);
		finished.add(file);
	};
	for (const name of readdirSync(folder)) if (name.endsWith('.js')) visit(path.join(folder, name), []);
	return { name: 'chunks without circles', ok: found.size === 0, output: [...found].join('\n') };
}

/** Static imports of a built chunk. */
function importsOf(file) {
	const imports = readFileSync(file, 'utf8').matchAll(/(?:import|from)\s*["'](\.[^"']+\.js)["']/g);
	return [...imports].map(([, name]) => path.resolve(path.dirname(file), name));
}
