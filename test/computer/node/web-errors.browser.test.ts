import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

const run = async (program: string, input = ''): Promise<string> => {
	await sandbox.writeFile('/workspace/program.js', program);
	const { stdout, stderr, exitCode } = await sandbox.exec(`${input}node program.js`, { timeoutMs: 50_000 });
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	return stdout;
};

it('refuses addresses and base64 as Node does, where the browser is more lenient or says it otherwise', async () => {
	const program = `
		const attempt = (run) => {
			try { console.log(String(run())); }
			catch (error) { console.log([error.name, error.code, error.message].join(' | ')); }
		};
		attempt(() => new URL('http://a b/'));
		attempt(() => new URL('http://a%20b/'));
		attempt(() => new URL('http://me@a/b c'));
		attempt(() => ['http://a b/', 'http://a/b c', 'nowhere'].map((address) => URL.canParse(address)));
		attempt(() => URL.canParse());
		attempt(() => atob('a'));
		attempt(() => atob('a==='));
		attempt(() => atob(' YQ== '));
		attempt(() => atob());
		attempt(() => btoa('\\u0100'));`;
	expect((await run(program)).split('\n')).toEqual([
		'TypeError | ERR_INVALID_URL | Invalid URL',
		'TypeError | ERR_INVALID_URL | Invalid URL',
		'http://me@a/b%20c',
		'false,true,false',
		'TypeError | ERR_MISSING_ARGS | The "url" argument must be specified',
		'InvalidCharacterError | 5 | The string to be decoded is not correctly encoded.',
		'InvalidCharacterError | 5 | Invalid character',
		'a',
		'TypeError | ERR_MISSING_ARGS | The "input" argument must be specified',
		'InvalidCharacterError | 5 | Invalid character',
		''
	]);
});

it('has the input that is there read before the first immediate runs', async () => {
	const program = `
		let text = '';
		process.stdin.setEncoding('utf8');
		process.stdin.on('readable', () => { for (let chunk; (chunk = process.stdin.read()) !== null; ) text += chunk; });
		setImmediate(() => console.log('read', JSON.stringify(text)));`;
	expect(await run(program, 'echo before > input; < input ')).toBe('read "before\\n"\n');
	expect(await run(program, 'echo early | ')).toBe('read "early\\n"\n');
});
