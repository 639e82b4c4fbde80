import { afterAll, beforeAll, expect, it } from 'vitest';
import shellUrl from '../../../../src/environment/wasm/shell/main.ts?program';
import type { ExecutionEnvironment } from '../../../../src/environment/contract.ts';
import { sandboxInPage } from '../in-page.ts';
import recorded from './everyday.json';

/** What is known to differ, with the reason. A command that starts to agree must leave this list. */
const DIFFERENCES: Record<string, string> = {
	'tree src': 'tree was not installed where the answers were recorded'
};

let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([{ name: 'shell', commands: ['bash', 'sh'], hot: true, url: shellUrl }]);
});
afterAll(() => sandbox.cleanup());

it(`answers everyday commands as ${recorded.recordedWith} does`, async () => {
	const different: string[] = [];
	for (const [index, { command, stdout, exitCode }] of recorded.cases.entries()) {
		const cwd = `/workspace/${index}`;
		for (const [name, text] of Object.entries(recorded.files)) await sandbox.writeFile(`${cwd}/${name}`, text);
		const result = await sandbox.exec(command, { cwd, timeoutMs: 10_000, env: { TZ: 'UTC' } });
		if (result.stdout === stdout && result.exitCode === exitCode) continue;
		different.push(command);
		if (!(command in DIFFERENCES)) {
			console.log(
				JSON.stringify({ command, got: [result.stdout, result.exitCode, result.stderr], wanted: [stdout, exitCode] })
			);
		}
	}
	expect(different.sort()).toEqual(Object.keys(DIFFERENCES).sort());
	expect(recorded.cases.length).toBe(200);
	expect(recorded.cases.length - different.length).toBe(199);
}, 120_000);
