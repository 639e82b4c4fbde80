import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import shellUrl from '#computer/shell/main.ts?program';
import wasiUrl from '#computer/wasi/main.ts?program';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';
import { printFileThenInput } from './module.ts';

let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.wasi, url: wasiUrl }
	]);
	await sandbox.writeFile('/workspace/bin/show.wasm', printFileThenInput(7));
	await sandbox.setMode('/workspace/bin/show.wasm', 0o755);
	await sandbox.writeFile('/workspace/note.txt', 'from the file\n');
});
afterAll(() => sandbox.cleanup());

it('runs a WASI program as a command: arguments, files, stdin, exit code', async () => {
	const result = await sandbox.exec('echo from stdin | ./bin/show.wasm note.txt; echo $?', { cwd: '/workspace' });
	expect(result).toMatchObject({ stdout: 'from the file\nfrom stdin\n7\n', stderr: '' });
});

it('finds one by PATH, under any name, in pipelines and substitutions', async () => {
	const command =
		'cp bin/show.wasm bin/show; PATH=$PWD/bin:$PATH; x=$(echo in | show note.txt | tr a-z A-Z); echo "[$x]" "${PIPESTATUS[0]}"';
	expect((await sandbox.exec(command, { cwd: '/workspace' })).stdout).toBe('[FROM THE FILE\nIN] 0\n');
});

it('says why a file cannot be run', async () => {
	await sandbox.writeFile('/workspace/broken.wasm', Uint8Array.from([0, 0x61, 0x73, 0x6d, 9, 9]));
	await sandbox.setMode('/workspace/broken.wasm', 0o755);
	const result = await sandbox.exec('./broken.wasm', { cwd: '/workspace' });
	expect(result.exitCode).toBe(126);
	expect(result.stderr).toContain('cannot execute');
});
