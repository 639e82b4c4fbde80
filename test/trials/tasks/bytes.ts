import { bash, edit, manifest, read, write, type Task } from '../task.ts';

const TEST = `'use strict';
const assert = require('assert');
const bytes = require('..');

describe('bytes', () => {
  it('formats', () => assert.strictEqual(bytes(1024), '1KB'));
  it('parses', () => assert.strictEqual(bytes('1.5mb'), 1572864));
  it('returns null for what it does not know', () => assert.strictEqual(bytes({}), null));
});
`;

const MORE = `'use strict';
const assert = require('assert');
const bytes = require('..');

describe('exabytes', () => {
  it('formats', () => assert.strictEqual(bytes(Math.pow(1024, 6)), '1EB'));
  it('parses', () => assert.strictEqual(bytes('2eb'), 2 * Math.pow(1024, 6)));
});
`;

/** A feature with mocha. */
export const bytes: Task = {
	name: 'bytes',
	request: 'Support exabytes (EB) for parsing and formatting. Add tests.',
	repository: {
		package: 'bytes',
		version: '3.1.2',
		files: {
			'package.json': manifest({
				name: 'bytes',
				version: '3.1.2',
				scripts: { test: 'mocha --check-leaks --reporter spec' },
				devDependencies: { mocha: '9.2.0' }
			}),
			'.gitignore': 'node_modules\n',
			'test/bytes.js': TEST
		},
		installs: true
	},
	steps: [
		bash('find . -type f -not -path "./.git/*" -not -path "./node_modules/*" | sort', './index.js'),
		bash('cat index.js | head -60', 'parseRegExp'),
		bash('npm install', 'added'),
		bash('npm test', '3 passing'),
		read('index.js', { limit: 40 }, 'pb: Math.pow(1024, 5)'),
		bash("grep -n 'PB\\|pb' index.js Readme.md", 'index.js'),
		edit('index.js', 'pb: Math.pow(1024, 5),', 'pb: Math.pow(1024, 5),\n  eb: Math.pow(1024, 6),'),
		edit(
			'index.js',
			'    if (mag >= map.pb) {',
			"    if (mag >= map.eb) {\n      unit = 'EB';\n    } else if (mag >= map.pb) {"
		),
		edit('index.js', '(kb|mb|gb|tb|pb)', '(kb|mb|gb|tb|pb|eb)'),
		write('test/exabytes.js', MORE),
		bash('npm test 2>&1 | tail -20', '5 passing'),
		bash('for n in 1 1024 1152921504606846976; do node -p "require(\'./\')($n)"; done', '1EB'),
		bash("node -p \"require('./')('1eb')\" && npx mocha --reporter dot 2>&1 | tail -5", '5 passing'),
		bash('git status --porcelain', 'test/exabytes.js'),
		bash('git diff index.js | cat', '+  eb')
	],
	verdicts: [{ kind: 'tests', command: 'npm test' }]
};
