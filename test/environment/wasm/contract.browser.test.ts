import { createWasmEnvironment } from '../../../src/environment/wasm/environment.ts';
import { describeEnvironment } from '../../contract/environment.ts';

describeEnvironment('WasmExecutionEnvironment', {
	create: () => createWasmEnvironment({})
});
