import { bash, build, edit, manifest, read, readWithStrings, write, type Task } from '../task.ts';

const TEST = `import test from 'node:test';
import assert from 'node:assert';
import pLimit from './index.js';

test('runs one at a time', async () => {
	const limit = pLimit(1);
	const order = [];
	await Promise.all([1, 2, 3].map(n => limit(async () => order.push(n))));
	assert.deepStrictEqual(order, [1, 2, 3]);
});
`;

const USE = `import pLimit, {type LimitFunction} from './index.js';

const limit: LimitFunction = pLimit(2);
const doubled: Promise<number[]> = limit.map([1, 2], async n => n * 2);
export default doubled;
`;

const CONFIG = `export default {
	build: { lib: { entry: 'index.js', formats: ['es', 'cjs'], fileName: 'p-limit' } }
};
`;

/** A feature with its types, in a package built by Vite, judged by `tsc` and the hashes of the build. */
export const pLimit: Task = {
	name: 'p-limit',
	request: 'Add limit.map(iterable, fn) with its type. tsc --noEmit and the tests must pass.',
	repository: {
		package: 'p-limit',
		version: '6.2.0',
		files: {
			'package.json': manifest({
				name: 'p-limit',
				version: '6.2.0',
				type: 'module',
				exports: { types: './index.d.ts', default: './index.js' },
				scripts: { test: 'node --test test.js', types: 'tsc --noEmit', build: 'vite build' },
				dependencies: { 'yocto-queue': '1.2.1' },
				devDependencies: { typescript: '5.9.3', vite: '8.0.3' }
			}),
			'tsconfig.json': manifest({
				compilerOptions: { strict: true, target: 'es2022', module: 'nodenext', types: [], noEmit: true },
				files: ['index.d.ts', 'use.ts']
			}),
			'vite.config.js': CONFIG,
			'.gitignore': 'node_modules\ndist\n',
			'test.js': TEST,
			'use.ts': "import pLimit from './index.js';\n\nexport default pLimit(2).activeCount;\n"
		},
		installs: true
	},
	steps: [
		bash('ls -a && cat package.json tsconfig.json', 'yocto-queue'),
		bash('cat index.js index.d.ts | head -120', 'enqueue'),
		{
			tool: 'Bash',
			arguments: { command: 'npm install --silent; ls node_modules', timeout: 120000 },
			shows: 'typescript'
		},
		bash('npm test 2>&1 | tail -20; npx tsc --noEmit; echo "tsc: $?"', 'tsc: 0'),
		read('use.ts'),
		write('use.ts', USE),
		bash('npx tsc --noEmit 2>&1 | head -20', 'error TS2339'),
		readWithStrings('index.d.ts', '1', '40'),
		read('index.d.ts', { limit: 40 }, 'clearQueue'),
		read('index.js', {}, 'concurrency'),
		read('test.js'),
		edit(
			'index.d.ts',
			'\tclearQueue: () => void;',
			'\tclearQueue: () => void;\n\n\t/** Calls `fn` with each item, at the same limit. */\n\tmap: <Item, ReturnType>(\n\t\titems: Iterable<Item>,\n\t\tfunction_: (item: Item) => PromiseLike<ReturnType> | ReturnType,\n\t) => Promise<ReturnType[]>;'
		),
		edit(
			'index.js',
			'\t\tconcurrency: {\n\t\t\tget',
			'\t\tmap: {\n\t\t\tvalue(items, function_) {\n\t\t\t\treturn Promise.all(Array.from(items, item => generator(function_, item)));\n\t\t\t},\n\t\t},\n\t\tconcurrency: {\n\t\t\tget'
		),
		bash(
			"cat > /tmp/map.mjs <<'EOF'\nimport pLimit from '/workspace/index.js';\nconsole.log(await pLimit(2).map([1, 2, 3], async n => n * 2));\nEOF\nnode /tmp/map.mjs",
			'[ 2, 4, 6 ]'
		),
		edit(
			'test.js',
			"test('runs one",
			"test('maps', async () => {\n\tassert.deepStrictEqual(await pLimit(2).map([1, 2], async n => n * 2), [2, 4]);\n});\n\ntest('runs one"
		),
		bash('npm run types && npm test 2>&1 | tail -12', 'pass 2'),
		bash('npm run build 2>&1 | tail -12; ls dist', 'p-limit.cjs'),
		bash(`node -p "typeof require('./dist/p-limit.cjs').default(1).map"`, 'function'),
		bash('git add . && git commit -m "Add map" | tail -3 && git status -s', 'changed')
	],
	verdicts: [
		{ kind: 'types', command: 'npx tsc --noEmit' },
		{ kind: 'tests', command: 'npm test' },
		build('npm run build', 'dist/*')
	]
};
