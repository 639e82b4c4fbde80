import { bash, build, edit, manifest, read, write, type Task } from '../task.ts';

/** A regression behind many published tests and dependencies, found with scripts in /tmp. */
export const qs: Task = {
	name: 'qs',
	request: 'qs.parse with ignoreQueryPrefix keeps the question mark. Fix it and make sure that everything passes.',
	repository: {
		package: 'qs',
		version: '6.14.0',
		without: ['.github', '.eslintrc', '.nycrc', 'dist/'],
		files: {
			'package.json': manifest({
				name: 'qs',
				version: '6.14.0',
				main: 'lib/index.js',
				scripts: {
					test: "tape 'test/**/*.js'",
					build:
						'esbuild lib/index.js --bundle --minify --sourcemap --format=iife --global-name=Qs --outfile=dist/qs.js'
				},
				dependencies: { 'side-channel': '1.1.0' },
				devDependencies: {
					esbuild: '0.25.12',
					'es-value-fixtures': '1.7.1',
					'for-each': '0.3.5',
					'has-bigints': '1.1.0',
					'has-override-mistake': '1.0.1',
					'has-property-descriptors': '1.0.2',
					'has-proto': '1.2.0',
					'has-symbols': '1.1.0',
					'iconv-lite': '0.5.1',
					'mock-property': '1.1.0',
					'object-inspect': '1.13.4',
					'safer-buffer': '2.1.2',
					tape: '5.9.0'
				}
			}),
			'.gitignore': 'node_modules\ndist\n'
		},
		replace: [{ path: 'lib/parse.js', from: "str.replace(/^\\?/, '')", to: "str.replace(/^\\?$/, '')" }],
		installs: true
	},
	steps: [
		bash('ls -R . | grep -v node_modules | head -40', 'parse.js'),
		bash('cat package.json && ls test lib', 'side-channel'),
		bash('grep -rn ignoreQueryPrefix lib/ test/ | head -20', 'lib/parse.js'),
		bash('sed -n 50,80p lib/parse.js', 'cleanStr'),
		bash('npm install --no-audit --no-fund 2>&1 | tail -15', 'added'),
		bash('npm test 2>&1 | tail -30', '# fail'),
		write('scratch.js', "var qs = require('./');\nconsole.log(qs.parse('?a=b', { ignoreQueryPrefix: true }));\n"),
		bash('node scratch.js', "'?a': 'b'"),
		bash('rm scratch.js'),
		bash(
			"cat > /tmp/repro.js <<'EOF'\nconst qs = require('/workspace/lib');\nconsole.log(JSON.stringify(qs.parse('?foo=bar', { ignoreQueryPrefix: true })));\nEOF",
			''
		),
		bash('node /tmp/repro.js', '{"?foo":"bar"}'),
		read('lib/parse.js', { offset: 60, limit: 6 }, 'ignoreQueryPrefix'),
		edit('lib/parse.js', "str.replace(/^\\?$/, '')", "str.replace(/^\\?/, '')"),
		bash('node /tmp/repro.js', '{"foo":"bar"}'),
		bash('npm test 2>&1 | tail -8', '# ok'),
		bash("npm test 2>&1 | grep -c '^ok'"),
		bash(`npm run build && echo 'console.log(Qs.parse("a=b"))' | cat dist/qs.js - | node`, "a: 'b'"),
		bash('git diff --stat && git status -s', 'lib/parse.js')
	],
	verdicts: [{ kind: 'tests', command: 'npm test' }, build('npm run build', 'dist/*')]
};
