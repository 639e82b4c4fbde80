import { bash, build, edit, manifest, read, type Task } from '../task.ts';

const CONFIG = `module.exports = [
  {
    files: ['*.js'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', exports: 'writable', define: 'readonly', require: 'readonly', console: 'readonly' } },
    rules: { 'no-unused-vars': 'error', 'no-undef': 'error', eqeqeq: 'error', 'prefer-const': 'error' }
  }
];
`;

const ROLLUP = `import commonjs from '@rollup/plugin-commonjs';

export default {
  input: 'slugify.js',
  plugins: [commonjs()],
  output: [
    { file: 'dist/slugify.mjs', format: 'es', sourcemap: true },
    { file: 'dist/slugify.umd.js', format: 'umd', name: 'slugify' }
  ]
};
`;

const LOCALES = `const slugify = require('./slugify');
let names = ['de', 'fr'];
const unused = 1;

for (const locale of names) {
  if (locale == 'de') console.log(slugify('Müller', { locale }));
}
`;

/** Lint problems and a type error to fix, in a package built by rollup. */
export const slugify: Task = {
	name: 'slugify',
	request:
		'npm run lint and npm run types report problems. Clear them without changing what locales.js prints, and build.',
	repository: {
		package: 'slugify',
		version: '1.6.6',
		files: {
			'package.json': manifest({
				name: 'slugify',
				version: '1.6.6',
				main: './slugify.js',
				scripts: { lint: 'eslint *.js', types: 'tsc -p .', build: 'rollup -c rollup.config.mjs' },
				devDependencies: {
					'@rollup/plugin-commonjs': '29.0.0',
					eslint: '9.39.1',
					rollup: '4.53.3',
					typescript: '5.9.3'
				}
			}),
			'.gitignore': 'node_modules\ndist\n',
			'rollup.config.mjs': ROLLUP,
			'tsconfig.json': manifest({
				compilerOptions: { strict: true, target: 'es2022', module: 'node16', types: [], noEmit: true },
				files: ['slugify.d.ts', 'use.ts']
			}),
			'use.ts':
				"import slugify from './slugify';\n\nexport const slug: string = slugify('a b', { lower: true, replacement: 1 });\n",
			'eslint.config.js': CONFIG,
			'locales.js': LOCALES
		},
		installs: true
	},
	steps: [
		bash('ls && cat package.json eslint.config.js locales.js', 'no-unused-vars'),
		bash('node locales.js', 'M'),
		bash('npm ci --no-audit 2>&1 | tail -3 || true'),
		bash('npm install --no-audit --no-fund 2>&1 | tail -3', 'added'),
		bash('npm run lint 2>&1 | tail -20', 'problems'),
		bash(
			"npx eslint locales.js -f json | node -e \"let s='';process.stdin.on('data',d=>s+=d).on('end',()=>console.log(JSON.parse(s)[0].errorCount))\"",
			'3'
		),
		read('locales.js', {}, 'unused'),
		edit('locales.js', 'const unused = 1;\n', ''),
		bash("sed -i \"s/let names/const names/; s/locale == 'de'/locale === 'de'/\" locales.js && cat locales.js", '==='),
		bash('npm run lint && node locales.js', 'eslint *.js'),
		bash('npx eslint --fix . && git status -s', 'locales.js'),
		bash('npm run types 2>&1 | tail -5', 'error TS2322'),
		read('use.ts', {}, 'replacement'),
		edit('use.ts', 'replacement: 1', "replacement: '_'"),
		bash('npm run types && npm run build 2>&1 | tail -8', 'dist/slugify.mjs, dist/slugify.umd.js'),
		bash("node -p \"require('./dist/slugify.umd.js')('a b')\"", 'a-b'),
		bash('git diff -U0 locales.js | tail -12', '+const names')
	],
	verdicts: [
		{ kind: 'lint', command: 'npm run lint' },
		{ kind: 'lint', command: 'npx eslint --rule \'{"no-var": "warn"}\' *.js' },
		{ kind: 'types', command: 'npm run types' },
		// The source map names a module of the plugin by the directory in which it was built.
		build('npm run build', 'dist/*js')
	]
};
