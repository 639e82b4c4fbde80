import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair, type Run } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** Without the version, and without frames of Node's own. */
const shown = ({ stdout, stderr, code }: Run) => ({
	stdout: stdout.replace(/v\d+\.\d+\.\d+/, 'VERSION').replace(/\n +at [^\n]*node:[^\n]*/g, ''),
	stderr,
	code
});

const LINES = `var a = 1
let b = 2
const c = 3
a + b + c
function d(x) {
return x + a
}
d(5)
globalThis.a
let b = 5
foo
throw new Error('plain')
_error.message
(function g() { throw new TypeError('inside') })()
class E { f = 1 }
new E()
{ a, b }
os.EOL
require('path').basename('/x/y')
[1, 2].map((x) =>
x * 2)
var var
.help
.break
typeof module
process.argv.length
`;

it('runs a session in the global scope, as Node does', () => {
	expect(shown(pair.ours(['-i'], LINES))).toEqual(shown(pair.native(['-i'], LINES)));
});

it('ends with the code that a statement gives, and leaves the lines behind it', () => {
	expect(shown(pair.ours(['-i'], '1\nprocess.exit(3)\n2\n'))).toEqual(
		shown(pair.native(['-i'], '1\nprocess.exit(3)\n2\n'))
	);
});

it('goes on behind errors of callbacks and rejected promises', () => {
	const lines = `setTimeout(() => { throw new Error('late') }, 1), 0
Promise.reject(new Error('rejected')), 1
await new Promise((resolve) => setTimeout(resolve, 50))
`;
	const { stdout, code } = pair.ours(['-i'], lines);
	expect(stdout).toContain('Uncaught Error: late\n');
	expect(stdout).toContain('Uncaught Error: rejected\n');
	expect(code).toBe(0);
});

it('takes its mode from the environment', () => {
	expect(pair.ours(['-i'], 'undeclared = 1\n', { NODE_REPL_MODE: 'strict' }).stdout).toContain(
		'Uncaught ReferenceError: undeclared is not defined'
	);
});

it('keeps the history of a terminal in a file', () => {
	pair.write({
		'history/main.js': `const repl = require('node:repl');
const { PassThrough } = require('node:stream');
const input = new PassThrough();
const output = new PassThrough();
output.resume();
const server = repl.start({ input, output, terminal: true, historySize: 3 });
server.setupHistory('history/lines', (error, same) => {
	console.log(error, same === server, server.history);
	for (const line of ['1', '2', '3', '4']) input.write(line + '\\r');
	server.on('exit', () => console.log(server.history));
	input.write('.exit\\r');
});`,
		'history/lines': 'newest\noldest'
	});
	expect(pair.ours(['history/main.js'])).toEqual({
		stdout: "null true [ 'newest', 'oldest' ]\n[ '.exit', '4', '3' ]\n",
		stderr: '',
		code: 0
	});
	expect(readFileSync(`${pair.directory}/history/lines`, 'utf8')).toBe('.exit\n4\n3');
});
