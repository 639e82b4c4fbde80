import { bash, edit, manifest, read, write, type Task } from '../task.ts';

const TEST = `import { expect, it } from 'vitest';
import ini from './lib/ini.js';

it('decodes sections', () => {
  expect({ ...ini.decode('[a]\\nb=1') }).toEqual({ a: { b: '1' } });
});
it('encodes sections', () => {
  expect(ini.encode({ a: { b: '1' } })).toBe('[a]\\nb=1\\n');
});
`;

const SORTED = `import { expect, it } from 'vitest';
import ini from './lib/ini.js';

it('sorts keys', () => {
  expect(ini.encode({ b: '1', a: '2' }, { sort: true })).toBe('a=2\\nb=1\\n');
});
it('keeps the order otherwise', () => {
  expect(ini.encode({ b: '1', a: '2' })).toBe('b=1\\na=2\\n');
});
`;

/** A regression under vitest, with the model's own tests. */
export const ini: Task = {
	name: 'ini',
	request: 'The option sort has no effect. Write a test that shows it, and fix it.',
	repository: {
		package: 'ini',
		version: '5.0.0',
		files: {
			'package.json': manifest({
				name: 'ini',
				version: '5.0.0',
				main: 'lib/ini.js',
				scripts: { test: 'vitest run' },
				devDependencies: { typescript: '5.9.3', vitest: '3.2.4' }
			}),
			'.gitignore': 'node_modules\n',
			'ini.test.mjs': TEST
		},
		replace: [{ path: 'lib/ini.js', from: 'opt.sort ? Object.keys(obj).sort()', to: 'opt.sort ? Object.keys(obj)' }],
		installs: true
	},
	steps: [
		bash('git log --oneline | head -3; ls', 'lib'),
		bash('cat package.json ini.test.mjs', 'vitest run'),
		bash('grep -n "sort" -r lib README.md', 'opt.sort'),
		bash('npm i 2>&1 | tail -4', 'added'),
		bash('npm test 2>&1 | tail -15', '2 passed'),
		write('sort.test.mjs', SORTED),
		bash('npx vitest run sort.test.mjs 2>&1 | tail -30', '1 failed'),
		read('lib/ini.js', { offset: 20, limit: 5 }, 'opt.sort'),
		edit('lib/ini.js', 'opt.sort ? Object.keys(obj) :', 'opt.sort ? Object.keys(obj).sort() :'),
		bash('npx vitest run 2>&1 | tail -10', '4 passed'),
		bash('node -e "process.stdout.write(require(\'./\').stringify({z:1,a:2},{sort:true}))"', 'a=2'),
		bash('git status -s && git diff', 'sort.test.mjs'),
		bash("git add -A && git commit -q -m 'Sort keys again' && git log --stat -1 | tail -4", 'changed')
	],
	verdicts: [
		{ kind: 'tests', command: 'npm test' },
		{ kind: 'types', command: 'npx tsc --noEmit --allowJs --checkJs --strict lib/ini.js', exitCode: 2 }
	]
};
