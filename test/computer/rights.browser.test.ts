import { expect } from 'vitest';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeRights } from '#test/contract/environment/rights.ts';

let hits = 0;

describeRights('WasmExecutionEnvironment', {
	create: async () => {
		const environment = createWasmEnvironment({
			egress: (request) => {
				hits++;
				const body = new TextEncoder().encode('hello\n');
				return Promise.resolve({ status: 200, statusText: 'OK', headers: [], url: request.url, body });
			}
		});
		await environment.initialize();
		return environment;
	},
	// A kernel takes longer to start than most of these commands take to run.
	reset: async (environment) => {
		await environment.endProcesses?.();
		await environment.exec('rm -rf .[!.]* * ~/.[!.]* ~/* /tmp/.[!.]* /tmp/*', { takesTemporaryFiles: true });
		const left = [...(await environment.snapshot()).entries.keys()];
		expect([left, (await environment.exec('find ~ /tmp -mindepth 1')).stdout]).toEqual([[], '']);
	},
	openOutside: () => {
		hits = 0;
		return Promise.resolve({
			command: 'curl -sf https://outside.example/',
			host: 'outside.example',
			hits: () => hits,
			close: () => Promise.resolve()
		});
	}
});
