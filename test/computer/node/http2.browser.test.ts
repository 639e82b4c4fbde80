import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import compatibility from './fixtures/node-22/http2-compatibility.js.txt?raw';
import compatibilityAnswers from './fixtures/node-22/http2-compatibility.out.txt?raw';
import streams from './fixtures/node-22/http2-streams.js.txt?raw';
import streamAnswers from './fixtures/node-22/http2-streams.out.txt?raw';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

/** The same programs as in `node-22.test.ts`, with the kernel's own loopback between client and server. */
it.each([
	['streams', streams, streamAnswers],
	['compatibility', compatibility, compatibilityAnswers]
])('answers like Node 22 in a tab: %s', async (name, program, answers) => {
	await sandbox.writeFile(`/workspace/${name}/main.js`, program);
	const { stdout, stderr, exitCode } = await sandbox.exec(`cd ${name} && node main.js`, { timeoutMs: 50_000 });
	expect({ stdout, stderr, exitCode }).toEqual({ stdout: answers, stderr: '', exitCode: 0 });
});
