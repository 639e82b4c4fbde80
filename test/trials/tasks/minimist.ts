import { bash, edit, manifest, read, type Task } from '../task.ts';

/** A regression that the published tests detect; tape is installed from the registry. */
export const minimist: Task = {
	name: 'minimist',
	request: 'Numbers with an exponent are not parsed any more. Find out why, fix it and commit the fix.',
	repository: {
		package: 'minimist',
		version: '1.2.8',
		without: ['.github', '.nycrc'],
		files: {
			'package.json': manifest({
				name: 'minimist',
				version: '1.2.8',
				main: 'index.js',
				scripts: { test: "tape 'test/**/*.js'" },
				devDependencies: { '@ljharb/eslint-config': '21.1.0', eslint: '8.8.0', tape: '5.9.0' }
			}),
			'.gitignore': 'node_modules\n'
		},
		replace: [{ path: 'index.js', from: '(e[-+]?\\d+)?$/', to: '(E[-+]?\\d+)?$/' }],
		installs: true
	},
	steps: [
		bash('pwd && ls && git log --oneline -5', 'index.js'),
		bash('cat package.json', 'tape'),
		{
			tool: 'Grep',
			arguments: { pattern: 'isNumber', path: '/workspace/index.js', output_mode: 'content', '-n': true },
			shows: 'isNumber'
		},
		bash('sed -n 1,30p index.js', 'function isNumber'),
		bash('npm install 2>&1 | tail -5', 'added'),
		bash('npm test 2>&1 | tail -40', '# fail'),
		bash("npm test 2>&1 | grep -A12 'not ok' | head -40", 'operator'),
		bash("node -e \"console.log(require('./')(['-x', '1e7', '-y', '1E7']))\"", "x: '1e7'"),
		read('index.js', { offset: 13, limit: 5 }, '(E[-+]'),
		edit('index.js', '(E[-+]?\\d+)?$/)', '(e[-+]?\\d+)?$/)'),
		bash('npm test 2>&1 | tail -8', '# ok'),
		bash('npx tape test/num.js 2>&1 | tail -30', '# ok'),
		bash('git status --short; git diff', '(e[-+]'),
		bash('git commit -aqm "Parse exponents again" && git show --stat HEAD | tail -4', 'changed')
	],
	verdicts: [
		{ kind: 'tests', command: 'npm test' },
		{ kind: 'lint', command: 'npx eslint .' }
	]
};
