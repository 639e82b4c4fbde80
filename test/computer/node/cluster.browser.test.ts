import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import errors from './fixtures/cluster/errors.js.txt?raw';
import errorsOutput from './fixtures/cluster/errors.out.txt?raw';
import handles from './fixtures/cluster/handles.js.txt?raw';
import handlesOutput from './fixtures/cluster/handles.out.txt?raw';
import orphan from './fixtures/cluster/orphan.js.txt?raw';
import orphanOutput from './fixtures/cluster/orphan.out.txt?raw';
import servers from './fixtures/cluster/servers.js.txt?raw';
import serversOutput from './fixtures/cluster/servers.out.txt?raw';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

/** Programs of several processes. The answers are those of Node 22.23.5. */
it.each([
	['shares servers between workers', servers, serversOutput],
	['tells workers of addresses in use', errors, errorsOutput],
	['sends sockets and servers to a child', handles, handlesOutput],
	['ends workers with the process that started them', orphan, orphanOutput]
])('%s as Node 22 does', async (_, program, output) => {
	await sandbox.writeFile('/workspace/main.cjs', program);
	const result = await sandbox.exec('node main.cjs', { timeoutMs: 50_000 });
	expect(result).toMatchObject({ stderr: '', stdout: output, exitCode: 0 });
});
