import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeEnvironment } from '#test/contract/environment.ts';

describeEnvironment('WasmExecutionEnvironment', {
	create: async () => {
		const environment = createWasmEnvironment({});
		await environment.initialize();
		return environment;
	}
});
