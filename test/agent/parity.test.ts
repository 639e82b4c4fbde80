import { describe, it } from 'vitest';
import { createClient } from '#llm/client.ts';
import { describeParity } from '#test/contract/parity.ts';
import { basics } from '#test/contract/parity/basics.ts';
import { providers } from '#test/contract/parity/providers.ts';
import { smoke } from '#test/contract/parity/smoke.ts';
import { layOut, openStage } from '#test/contract/parity/stage.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { startScripts } from '#test/model-server/commands.ts';

describeParity(
	'LocalExecutionEnvironment',
	{ create: () => createTemporary(), dispose: removeTemporary },
	async (scripts) => {
		const server = await startScripts(scripts);
		return {
			url: server.url,
			requests: () => Promise.resolve(server.requests),
			close: () => server.close().then(() => server.failures.map(String))
		};
	}
);

const live = providers.flatMap((provider) => {
	const apiKey = process.env['SANDGLASS_LIVE_MODELS'] ? process.env[provider.keyVariable] : undefined;
	return apiKey ? [{ provider, apiKey }] : [];
});

// Requests to the real APIs cost money: they run only if enabled.
describe.each(live)('$provider.name itself', ({ provider, apiKey }) => {
	it.each([...basics, ...smoke])('$title', { timeout: 300_000 }, async (step) => {
		const environment = await createTemporary();
		await layOut(environment, step.files);
		const { api } = provider.config('');
		const client = createClient({ providers: { [provider.name]: { api, apiKey } } });
		await step.act(openStage(provider, environment, client, () => Promise.resolve([]), step.options));
		await environment.cleanup();
	});
});
