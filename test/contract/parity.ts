import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createClient } from '#llm/client.ts';
import type { Script } from '#test/model-server/commands.ts';
import type { EnvironmentSuite } from './environment.ts';
import { basics } from './parity/basics.ts';
import { type ParityProvider, providers } from './parity/providers.ts';
import { rows } from './parity/rows.ts';
import { smoke } from './parity/smoke.ts';
import { layOut, type ModelHost, openStage, type Play } from './parity/stage.ts';

/**
 * The parity matrix (9.12) and the smoke test (9.13) in one environment, with each provider over its own wire and SDK.
 */
export function describeParity(name: string, suite: EnvironmentSuite, host: (scripts: Script[]) => Promise<ModelHost>) {
	let environment: ExecutionEnvironment;
	beforeAll(async () => void (environment = await suite.create()));
	afterAll(async () => {
		await environment.cleanup();
		await suite.dispose?.();
	});

	async function perform(provider: ParityProvider, play: Play, ...acts: (Play['act'] | undefined)[]) {
		await layOut(environment, play.files);
		const model = await host(play.scripts(provider));
		const client = createClient({ providers: { [provider.name]: provider.config(model.url) }, retry: { retries: 0 } });
		const stage = openStage(provider, environment, client, () => model.requests(), play.options);
		try {
			for (const act of acts) await act?.(stage);
		} finally {
			await stage.session.abort();
			expect(await model.close()).toEqual([]);
		}
	}

	describe.each(providers)(`$name over ${name}`, (provider) => {
		rows.forEach((row, index) => {
			it(`${row.title} [9.12-${index + 1}-${provider.name}]`, () => perform(provider, row, row.act));
		});
		smoke.forEach((step, index) => {
			it(`${step.title} [9.13-${index + 1}-${provider.name}]`, () => perform(provider, step, step.act, step.scripted));
		});
		basics.forEach((step, index) => {
			const ids = [`J.11-1.${index + 1}`, ...(provider.name === 'anthropic' ? [`J.9-2.${index + 1}`] : [])];
			it(`${step.title} [${ids.join(', ')}]`, () => perform(provider, step, step.act, step.scripted));
		});
	});
}
