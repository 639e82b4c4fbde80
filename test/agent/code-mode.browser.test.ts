import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeCodeMode } from '#test/contract/code-mode.ts';

describeCodeMode('WasmExecutionEnvironment', {
	create: async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		return environment;
	}
});
