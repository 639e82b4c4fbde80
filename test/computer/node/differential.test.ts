import { beforeAll, describe, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';
import { COMMONJS, ESM, MODULES } from './fixtures/programs.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** Every program must print and end as in the machine's own Node. */
describe.each(Object.entries({ commonjs: COMMONJS, esm: ESM, modules: MODULES }))('%s', (_group, programs) => {
	it.each(Object.entries(programs))('%s', (name, program) => {
		const { files, input = '', args = [] } = program;
		const directory = name.replace(/\W+/g, '-');
		const main = Object.keys(files)[0] ?? '';
		pair.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`${directory}/${file}`, text])));
		const ours = pair.ours([`${directory}/${main}`, ...args], input);
		const native = pair.native([`${directory}/${main}`, ...args], input);
		expect({ stdout: ours.stdout, code: ours.code, stderr: ours.code === 0 ? ours.stderr : '' }).toEqual({
			stdout: native.stdout,
			code: native.code,
			stderr: native.code === 0 ? native.stderr : ''
		});
	});
});
