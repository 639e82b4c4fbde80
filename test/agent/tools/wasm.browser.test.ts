import { createWasmEnvironment } from '../../../src/environment/wasm/environment.ts';
import { describeTools } from '../../contract/tools.ts';

describeTools('WasmExecutionEnvironment', {
	create: async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		return environment;
	}
});
