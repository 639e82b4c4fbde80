import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

const directory = fileURLToPath(new URL('./fixtures/tls/', import.meta.url));

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
	for (const name of readdirSync(directory)) {
		const target = name.replace('.js.txt', '.js');
		pair.write({ [`tls/${target}`]: readFileSync(`${directory}/${name}`, 'utf8') });
	}
}, 60_000);

/** Encrypted connections with their servers, errors and certificates must be as in the machine's own Node. */
it.each(['https', 'http2', 'connections'])('%s', { timeout: 30_000 }, (name) => {
	const ours = pair.ours([`tls/${name}.js`]);
	const native = pair.native([`tls/${name}.js`]);
	expect({ stdout: ours.stdout, stderr: ours.stderr, code: ours.code }).toEqual({
		stdout: native.stdout,
		stderr: native.stderr,
		code: native.code
	});
	expect(native.code).toBe(0);
});
