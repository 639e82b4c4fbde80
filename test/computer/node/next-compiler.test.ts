import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
	pair.write({
		'bare/node_modules/next/dist/bin/next': 'console.log("started");',
		'whole/node_modules/next/dist/bin/next': `
			console.log(process.env.NEXT_TEST_WASM_DIR);
			console.log(process.env.__NEXT_NODE_NATIVE_TS_LOADER_ENABLED);
			import(process.env.NEXT_TEST_WASM_DIR + '/wasm.js').then(({ default: { compiles } }) => console.log(compiles));
			try {
				require('@next/swc-linux-x64-gnu');
			} catch (error) {
				console.log(error.code);
			}
		`,
		'whole/node_modules/@next/swc-wasm-nodejs/wasm.js': 'exports.compiles = true;',
		'whole/other.js': 'console.log(process.env.NEXT_TEST_WASM_DIR);'
	});
}, 60_000);

const START = 'node_modules/next/dist/bin/next';

it('starts Next.js with its compiler in WebAssembly, and lets it download no native one', () => {
	const { stdout, stderr, code } = pair.ours([`whole/${START}`, 'build']);
	expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
	const [directory, ...rest] = stdout.trim().split('\n');
	expect(directory).toMatch(/\/whole\/node_modules\/@next\/swc-wasm-nodejs$/);
	expect(rest).toEqual(['true', 'ERR_DLOPEN_FAILED', 'true']);
});

it('lets Node load a configuration in TypeScript, unless the user says otherwise', () => {
	const { stdout } = pair.ours([`whole/${START}`], '', { __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: 'false' });
	expect(stdout).toContain('\nfalse\n');
	expect(pair.ours([`whole/${START}`]).stdout).not.toContain('false');
});

it('leaves the directory of the compiler that the user has named', () => {
	const given = { NEXT_TEST_WASM_DIR: `${pair.directory}/whole/node_modules/@next/swc-wasm-nodejs/` };
	expect(pair.ours([`whole/${START}`], '', given).stdout).toContain(`${given.NEXT_TEST_WASM_DIR}\n`);
	expect(pair.ours(['whole/other.js']).stdout).toBe('undefined\n');
});

it('says what to do where the compiler is missing', () => {
	const bare = pair.ours([`bare/${START}`, 'build']);
	expect(bare).toMatchObject({ stdout: '', code: 1 });
	expect(bare.stderr).toContain('@next/swc-wasm-nodejs, the same in WebAssembly, is not installed. Run `npm install`');
});

it.each([
	['15.5.1', 'dev --turbo -p 3000', 'dev -p 3000'],
	['15.5.1', 'build --turbopack', 'build'],
	['16.0.0', 'build --turbopack', 'build --webpack'],
	['16.0.0', 'dev --port 1', 'dev --port 1 --webpack'],
	['16.0.0', '', '--webpack']
])('compiles Next.js %s with webpack for next %s, and says so', (version, given, expected) => {
	const { stdout, stderr } = startVersion(version, given);
	expect(stdout.trim()).toBe(expected);
	expect(stderr).toContain('webpack compiles instead');
});

it.each([
	['15.5.1', 'build'],
	['16.0.0', 'build --webpack'],
	['16.0.0', 'start'],
	['16.0.0', 'start -p 3000']
])('starts Next.js %s as it is for next %s', (version, given) => {
	expect(startVersion(version, given)).toMatchObject({ stdout: `${given}\n`, stderr: '' });
});

function startVersion(version: string, words: string) {
	pair.write({
		'versions/node_modules/next/package.json': JSON.stringify({ name: 'next', version }),
		'versions/node_modules/next/dist/bin/next': 'console.log(process.argv.slice(2).join(" "));',
		'versions/node_modules/@next/swc-wasm-nodejs/wasm.js': ''
	});
	return pair.ours([`versions/${START}`, ...words.split(' ').filter(Boolean)]);
}
