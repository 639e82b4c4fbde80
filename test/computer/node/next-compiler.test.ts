import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
	pair.write({
		'bare/node_modules/next/dist/bin/next': 'console.log("started");',
		'whole/node_modules/next/dist/bin/next': `
			console.log(process.env.NEXT_TEST_WASM_DIR);
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
	expect(rest).toEqual(['ERR_DLOPEN_FAILED', 'true']);
});

it('leaves the directory of the compiler that the user has named', () => {
	const given = { NEXT_TEST_WASM_DIR: `${pair.directory}/whole/node_modules/@next/swc-wasm-nodejs/` };
	expect(pair.ours([`whole/${START}`], '', given).stdout).toContain(`${given.NEXT_TEST_WASM_DIR}\n`);
	expect(pair.ours(['whole/other.js']).stdout).toBe('undefined\n');
});

it('says what to do where the compiler is missing, and of Turbopack that it is native', () => {
	const bare = pair.ours([`bare/${START}`, 'build']);
	expect(bare).toMatchObject({ stdout: '', code: 1 });
	expect(bare.stderr).toContain('@next/swc-wasm-nodejs, the same in WebAssembly, is not installed. Run `npm install`');
	for (const flag of ['--turbo', '--turbopack']) {
		const refused = pair.ours([`whole/${START}`, 'dev', flag]);
		expect(refused).toMatchObject({ stdout: '', code: 1 });
		expect(refused.stderr).toContain('Leave out --turbo and --turbopack');
	}
});
