import { createWasmEnvironment } from '../../../src/environment/wasm/environment.ts';
import { describeEnvironment } from '../../contract/environment.ts';

describeEnvironment('WasmExecutionEnvironment', {
	create: async () => {
		const environment = createWasmEnvironment({});
		await environment.initialize();
		return environment;
	}
});
