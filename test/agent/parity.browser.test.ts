import { commands } from 'vitest/browser';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeParity } from '#test/contract/parity.ts';

describeParity(
	'WasmExecutionEnvironment',
	{
		create: async () => {
			const environment = createWasmEnvironment();
			await environment.initialize();
			return environment;
		}
	},
	async (scripts) => {
		const url = await commands.startModel(scripts);
		return { url, requests: () => commands.modelRequests(url), close: () => commands.stopModel(url) };
	}
);
