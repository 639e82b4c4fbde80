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

/** An `import` that names what a module has not ends a program before it begins. */
it('has every name that Node 22 exports', () => {
	const names = readFileSync(new URL('./fixtures/node-22-names.json', import.meta.url), 'utf8');
	pair.write({
		'names/main.mjs': `const missing = [];
for (const [module, names] of Object.entries(${names})) {
	const has = await import(module.startsWith('node:') ? module : 'node:' + module);
	for (const name of names.split(' ')) if (!(name in has)) missing.push(module + '.' + name);
}
console.log(missing.join('\\n'));`
	});
	const missing = pair.ours(['names/main.mjs']).stdout.split('\n').filter(Boolean);
	expect(missing.filter((name) => !NAMELESS.some((kind) => kind.test(name)))).toEqual([]);
});

/** Of modules that do nothing here, values that tell of a machine, and what Node keeps for itself. */
const NAMELESS = [
	/^(cluster|http2|inspector|inspector\/promises|repl|tls|v8)\./,
	/^(test|sea)/,
	/^events\.usingDomains$/,
	/^module\.(runMain|_debug)$/,
	/^process\.assert$/,
	/^util\.getCallSite$/
];
