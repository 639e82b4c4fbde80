import { createWasmEnvironment } from '../../../src/environment/wasm/environment.ts';
import { describeTools } from '../../contract/tools.ts';

describeTools('WasmExecutionEnvironment', {
	lacks: { permissions: 'the tab has one user, whom its file system forbids nothing by a mode' },
	create: async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		return environment;
	}
});
