import { bash, edit, manifest, read, type Task } from '../task.ts';

/** A question about behavior first, then a small fix: mostly reading and running. */
export const objectInspect: Task = {
	name: 'object-inspect',
	request: 'Strings in double quotes come out with single quotes escaped. Explain why, then fix it.',
	repository: {
		package: 'object-inspect',
		version: '1.13.4',
		without: ['.github', '.eslintrc', '.nycrc', 'test-core-js.js', 'test/toStringTag', 'test/values'],
		files: {
			'package.json': manifest({
				name: 'object-inspect',
				version: '1.13.4',
				main: 'index.js',
				scripts: { test: "tape 'test/*.js'" },
				devDependencies: {
					'error-cause': '1.0.8',
					'es-value-fixtures': '1.7.1',
					'for-each': '0.3.5',
					'functions-have-names': '1.2.3',
					globalthis: '1.0.4',
					'has-symbols': '1.1.0',
					'has-tostringtag': '1.0.2',
					'make-arrow-function': '1.2.0',
					'mock-property': '1.1.0',
					semver: '6.3.1',
					'string.prototype.repeat': '1.0.0',
					tape: '5.9.0'
				}
			}),
			'.gitignore': 'node_modules\n'
		},
		replace: [{ path: 'index.js', from: "quoteREs[opts.quoteStyle || 'single']", to: "quoteREs['single']" }],
		installs: true
	},
	steps: [
		bash('ls; cat package.json | head -30', 'index.js'),
		bash('wc -l *.js test/*.js | tail -1; head -60 index.js', 'hasMap'),
		bash('grep -n quote index.js', 'quoteREs'),
		bash("sed -n '/^function inspectString/,/^}/p' index.js", "quoteREs['single']"),
		bash("node -e \"const i=require('./'); console.log(i('a\\'b', {quoteStyle:'double'}))\"", '"a'),
		bash('node example/circular.js | head -5', '[Circular]'),
		{ tool: 'Bash', arguments: { command: 'npm ci 2>&1 | tail -5' }, shows: 'npm' },
		bash('npm install 2>&1 | tail -3', 'added'),
		bash('npm test 2>&1 | tail -15', '# fail'),
		bash('npx tape test/quoteStyle.js | head -50', 'not ok'),
		read('index.js', { offset: 440, limit: 10 }, 'quoteREs'),
		edit('index.js', "quoteREs['single']", "quoteREs[opts.quoteStyle || 'single']"),
		bash('npx tape test/quoteStyle.js | tail -6', '# ok'),
		bash('npm test 2>&1 | tail -6', '# ok'),
		bash('git diff', "+    var quoteRE = quoteREs[opts.quoteStyle || 'single']")
	],
	verdicts: [{ kind: 'tests', command: 'npm test' }]
};
