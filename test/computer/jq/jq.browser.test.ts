import { afterAll, beforeAll, expect, it } from 'vitest';
import jqModule from 'virtual:jq-module';
import jqUrl from '#computer/jq/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment;
const run = async (command: string) => {
	const { stdout, stderr, exitCode } = await sandbox.exec(command, { timeoutMs: 30_000 });
	return [stdout, stderr, exitCode];
};

beforeAll(async () => {
	sandbox = await sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.jq, url: jqUrl }
		],
		{ 'jq.wasm': jqModule }
	);
	await sandbox.writeFile('data/a.json', '{"name":"Zürich","n":[1,2,3]}\n');
	await sandbox.writeFile('lib/sum.jq', 'def sum: reduce .[] as $x (0; . + $x);\n');
	await sandbox.writeFile('lib/limits.json', '{"most":9}\n');
});
afterAll(() => sandbox.cleanup());

it('reads files by relative, absolute and linked path, and standard input', async () => {
	expect(await run('jq -c .n data/a.json')).toEqual(['[1,2,3]\n', '', 0]);
	expect(await run('ln -s a.json data/link; cd data && jq -r .name /workspace/data/link')).toEqual(['Zürich\n', '', 0]);
	expect(await run(`printf '1 2' | jq -s add`)).toEqual(['3\n', '', 0]);
	expect(await run('jq -c . <(echo "[4]")')).toEqual(['[4]\n', '', 0]);
	expect(await run('jq . absent.json')).toEqual([
		'',
		'jq: error: Could not open file absent.json: No such file or directory\n',
		2
	]);
});

it('imports modules and data from the directories of -L', async () => {
	expect(await run(`jq -L lib 'import "sum" as s; .n | s::sum' data/a.json`)).toEqual(['6\n', '', 0]);
	expect(await run(`jq -n -L lib 'import "limits" as $l; $l[0].most'`)).toEqual(['9\n', '', 0]);
	expect(await run(`jq -n -f /dev/stdin <<<'1 + 1'`)).toEqual(['2\n', '', 0]);
});

it('answers compile errors, runtime errors and -e with the exit status of jq', async () => {
	const [, complaint, status] = await run(`jq -n '.a | ='`);
	expect(complaint).toContain('syntax error');
	expect(status).toBe(3);
	expect(await run(`echo '[]' | jq .a`)).toEqual([
		'',
		'jq: error (at <stdin>:1): Cannot index array with string ("a")\n',
		5
	]);
	expect(await run(`jq -ne null`)).toEqual(['null\n', '', 1]);
});

it('has arguments, environment and files as variables', async () => {
	expect(await run(`TOWN=Zürich jq -nr --arg a "b c" --slurpfile f data/a.json '$a, env.TOWN, $f[0].n[2]'`)).toEqual([
		'b c\nZürich\n3\n',
		'',
		0
	]);
});

it('does not read what the next command of a loop reads', async () => {
	expect(await run(`printf '1\\n2\\n' | while read -r x; do jq -n "$x + 1"; done`)).toEqual(['2\n3\n', '', 0]);
});

it('passes each value on before it waits for the next', async () => {
	const command = `coproc jq --unbuffered '. + 1'; echo 1 >&"\${COPROC[1]}"; read -r x <&"\${COPROC[0]}"; echo "\${x}0" >&"\${COPROC[1]}"; read -r x <&"\${COPROC[0]}"; echo "$x"`;
	expect(await run(command)).toEqual(['21\n', '', 0]);
});

it('writes much, and stops when its reader is gone', async () => {
	const [stdout] = await run(`jq -n 'range(100000)' | tail -1`);
	expect(stdout).toBe('99999\n');
	expect(await run(`jq -n 'range(1000000000)' | head -1`)).toEqual(['0\n', '', 0]);
	expect(await run(`jq -n '[range(3000)]|tostring|length'`)).toEqual(['13891\n', '', 0]);
});

it('says so when data is nested deeper than its stack allows', async () => {
	const nested = (depth: number) => `jq -nc 'reduce range(${depth}) as $_ ([]; [.]) | tojson | length'`;
	expect(await run(nested(400))).toEqual(['802\n', '', 0]);
	expect(await run(nested(9000))).toEqual([
		'',
		'jq: error: data is nested too deeply for this computer, whose jq has a stack of 1 MB\n',
		5
	]);
});

it('has what jq 1.8 brought', async () => {
	expect(await run('jq --version')).toEqual(['jq-1.8.2\n', '', 0]);
	expect(await run(`jq -nc '"abca" | trimstr("a"), ltrimstr("a"), ([skip(1; 1, 2)])'`)).toEqual([
		'"bc"\n"bca"\n[2]\n',
		'',
		0
	]);
});
