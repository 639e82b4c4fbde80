import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

const directory = fileURLToPath(new URL('./fixtures/modules/', import.meta.url));

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** What programs ask of modules, answered as the machine's own Node answers. */
it.each(readdirSync(directory))('%s', (name) => {
	pair.write({ [`${name}/main.js`]: readFileSync(`${directory}/${name}`, 'utf8') });
	const ours = pair.ours([`${name}/main.js`]);
	const native = pair.native([`${name}/main.js`]);
	expect({ stdout: ours.stdout, stderr: ours.stderr, code: ours.code }).toEqual({
		stdout: native.stdout,
		stderr: native.stderr,
		code: native.code
	});
});
