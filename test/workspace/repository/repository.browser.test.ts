import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeRepository } from '#test/contract/repository.ts';

describeRepository(async () => {
	const environment = createWasmEnvironment();
	await environment.initialize();
	return environment;
});
