import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

const directory = fileURLToPath(new URL('./fixtures/node-22/', import.meta.url));
const names = readdirSync(directory).flatMap((name) => /^(.*)\.js\.txt$/.exec(name)?.[1] ?? []);

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** What the machine's own Node may lack. The answers are those of Node 22.23.5. */
it.each(names)('answers like Node 22: %s', (name) => {
	const read = (ending: string) => readFileSync(`${directory}/${name}.${ending}`, 'utf8');
	pair.write({ [`${name}/main.js`]: read('js.txt') });
	const { stdout, stderr, code } = pair.ours([`${name}/main.js`]);
	expect(stdout).toBe(read('out.txt'));
	expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});
