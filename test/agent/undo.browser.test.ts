import { createWasmEnvironment } from '../../src/environment/wasm/environment.ts';
import { describeUndo } from '../contract/undo.ts';

describeUndo(async () => {
	const environment = createWasmEnvironment();
	await environment.initialize();
	return environment;
});
