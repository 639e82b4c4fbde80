import { createWasmEnvironment } from '../../src/environment/wasm/environment.ts';
import { describeCodeMode } from '../contract/code-mode.ts';

describeCodeMode('WasmExecutionEnvironment', {
	create: async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		return environment;
	}
});
