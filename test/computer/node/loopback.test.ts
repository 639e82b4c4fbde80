import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** Servers and clients on the loopback must print the same as in the machine's own Node. */
it.each([
	'http',
	'net',
	'upgrade-and-failures',
	'half-closed-and-handles',
	'long-and-early',
	'client-and-agent',
	'pipelined',
	'connections',
	'requests-per-connection'
])('%s', (name) => {
	const file = fileURLToPath(new URL(`./fixtures/loopback/${name}.js.txt`, import.meta.url));
	pair.write({ 'main.js': readFileSync(file, 'utf8') });
	const ours = pair.ours(['main.js']);
	const native = pair.native(['main.js']);
	expect({ stdout: ours.stdout, stderr: ours.stderr, code: ours.code }).toEqual({
		stdout: native.stdout,
		stderr: native.stderr,
		code: native.code
	});
});
