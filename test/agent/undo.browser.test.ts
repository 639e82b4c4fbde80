import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeUndo } from '#test/contract/undo.ts';

describeUndo(async () => {
	const environment = createWasmEnvironment();
	await environment.initialize();
	return environment;
});
