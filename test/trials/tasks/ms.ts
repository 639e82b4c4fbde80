import { bash, edit, manifest, read, readWithStrings, write, type Task } from '../task.ts';

const TEST = `const test = require('node:test');
const assert = require('node:assert');
const ms = require('..');

test('parses weeks', () => assert.strictEqual(ms('2w'), 1209600000));
test('parses days', () => assert.strictEqual(ms('2 days'), 172800000));
test('formats minutes', () => assert.strictEqual(ms(120000), '2m'));
test('formats long hours', () => assert.strictEqual(ms(7200000, { long: true }), '2 hours'));
`;

const MONTHS = `
test('parses months', () => {
  assert.strictEqual(ms('1 month'), 2629800000);
  assert.strictEqual(ms('2mo'), 5259600000);
});
`;

/** A feature that needs no packages to be installed: also used as the small sample of `npm test`. */
export const ms: Task = {
	name: 'ms',
	request: "Add months ('1 month', '2mo') to ms, with a test, and commit it.",
	repository: {
		package: 'ms',
		version: '2.1.3',
		files: {
			'package.json': manifest({ name: 'ms', version: '2.1.3', main: './index', scripts: { test: 'node --test' } }),
			'test/ms.test.js': TEST
		},
		installs: false
	},
	steps: [
		bash('ls -la && git log --oneline | head -5', 'index.js'),
		bash('cat package.json; wc -l index.js readme.md', 'node --test'),
		{ tool: 'Read', arguments: { path: '/workspace/index.js' }, shows: 'file_path', fails: true },
		readWithStrings('index.js', '1', '60'),
		read('index.js', { limit: 60 }, 'module.exports'),
		bash("grep -n 'week\\|w' index.js | head -20", 'case'),
		{
			tool: 'Bash',
			arguments: { command: 'npm test 2>&1 | tail -30', timeout: '60000', description: 'Run the tests' },
			shows: 'pass 4'
		},
		bash("node -e \"console.log(require('./')('1 month'))\"", 'undefined'),
		edit('index.js', 'var w = d * 7;', 'var w = d * 7;\nvar mo = d * 30.4375;'),
		edit('index.js', '|weeks?|w|years?', '|weeks?|w|months?|mo|years?'),
		edit(
			'index.js',
			"    case 'weeks':",
			"    case 'months':\n    case 'month':\n    case 'mo':\n      return n * mo;\n    case 'weeks':"
		),
		write(
			'test/month.test.js',
			`const test = require('node:test');\nconst assert = require('node:assert');\nconst ms = require('..');\n${MONTHS}`
		),
		bash('npm test 2>&1 | tail -12', 'pass 5'),
		bash(
			"cat > /tmp/check.js <<'EOF'\nconst ms = require('/workspace');\nfor (const t of ['1mo', '3 months', '1m']) console.log(t, ms(t));\nEOF"
		),
		bash('node /tmp/check.js', '1mo 2629800000'),
		bash('git status --short && git diff --stat', 'index.js'),
		bash('git diff | head -40', '+var mo'),
		bash('git add -A && git commit -qm "Parse months" && git log --oneline | head -3', 'Parse months')
	],
	verdicts: [{ kind: 'tests', command: 'npm test' }]
};
