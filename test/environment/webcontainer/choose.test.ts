import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { bootWebContainer } from '#environment/webcontainer/boot.ts';
import { createPageEnvironment } from '#environment/webcontainer/choose.ts';
import { WebContainerExecutionEnvironment } from '#environment/webcontainer/environment.ts';
import { codeOf } from '#test/contract/environment/checks.ts';
import { StandIn } from './stand-in.ts';

describe('the choice of a computer', () => {
	let directory: string;
	/** Replaces the one in the tab, which needs a browser. */
	const makeWasm = (): LocalExecutionEnvironment => new LocalExecutionEnvironment({ workingDirectory: directory });
	beforeEach(async () => {
		directory = await mkdtemp(join(tmpdir(), 'sandglass-choice-'));
	});
	afterEach(() => rm(directory, { recursive: true, force: true }));

	it('takes WebContainer where it starts, and says nothing', async () => {
		const standIn = await StandIn.boot();
		const makeWebContainer = (): WebContainerExecutionEnvironment =>
			new WebContainerExecutionEnvironment({ boot: async () => standIn.container });
		const { environment, notice } = await createPageEnvironment({ prefer: 'webcontainer', makeWasm, makeWebContainer });
		expect(environment).toBeInstanceOf(WebContainerExecutionEnvironment);
		expect(notice).toBeUndefined();
		await environment.cleanup();
		expect(standIn.isTornDown).toBe(true);
		await standIn.dispose();
	});

	it('falls back with a plain message where its host cannot be reached', async () => {
		let given: WebContainerExecutionEnvironment | undefined;
		const boot = () => bootWebContainer({ timeoutMs: 20, boot: () => new Promise(() => {}) });
		const makeWebContainer = (): WebContainerExecutionEnvironment =>
			(given = new WebContainerExecutionEnvironment({ boot }));
		const { environment, notice } = await createPageEnvironment({ prefer: 'webcontainer', makeWasm, makeWebContainer });
		expect(environment).toBeInstanceOf(LocalExecutionEnvironment);
		expect((await environment.exec('echo it works')).stdout).toBe('it works\n');
		expect(notice).toMatch(
			/^This project runs on the built-in computer\. WebContainer did not start within .* s\. \w+/
		);
		expect(given && (await codeOf(given.readFile('a')))).toBe('ECLOSED');
		await environment.cleanup();
	});

	it('asks nothing of WebContainer where it is not preferred', async () => {
		const makeWebContainer = (): never => {
			throw new Error('It was made.');
		};
		const { environment, notice } = await createPageEnvironment({ prefer: 'wasm', makeWasm, makeWebContainer });
		expect(environment).toBeInstanceOf(LocalExecutionEnvironment);
		expect(notice).toBeUndefined();
		await environment.cleanup();
	});
});
