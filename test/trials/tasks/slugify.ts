import { bash, edit, manifest, read, type Task } from '../task.ts';

const CONFIG = `module.exports = [
  {
    files: ['*.js'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', exports: 'writable', define: 'readonly', require: 'readonly', console: 'readonly' } },
    rules: { 'no-unused-vars': 'error', 'no-undef': 'error', eqeqeq: 'error', 'prefer-const': 'error' }
  }
];
`;

const LOCALES = `const slugify = require('./slugify');
let names = ['de', 'fr'];
const unused = 1;

for (const locale of names) {
  if (locale == 'de') console.log(slugify('Müller', { locale }));
}
`;

/** Lint problems to clear: eslint is the judge. */
export const slugify: Task = {
	name: 'slugify',
	request: 'npm run lint reports problems. Clear them without changing what locales.js prints.',
	repository: {
		package: 'slugify',
		version: '1.6.6',
		files: {
			'package.json': manifest({
				name: 'slugify',
				version: '1.6.6',
				main: './slugify.js',
				scripts: { lint: 'eslint .' },
				devDependencies: { eslint: '9.39.1' }
			}),
			'.gitignore': 'node_modules\n',
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
		bash('npm run lint && node locales.js', 'eslint .'),
		bash('npx eslint --fix . && git status -s', 'locales.js'),
		bash('git diff -U0 locales.js | tail -12', '+const names')
	],
	verdicts: [
		{ kind: 'lint', command: 'npm run lint' },
		{ kind: 'lint', command: 'npx eslint --rule \'{"no-var": "warn"}\' .' }
	]
};
