import type { Snapshot } from '#environment/contract.ts';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import { describeTools } from '#test/contract/tools.ts';

/** Snapshot of the new environment. */
let fresh: Snapshot;

describeTools('WasmExecutionEnvironment', {
	lacks: { permissions: 'the tab has one user, whom its file system forbids nothing by a mode' },
	create: async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		fresh = await environment.snapshot();
		return environment;
	},
	renew: async (environment) => {
		// A background command of a tool may still be running.
		await environment.exec(
			'for pid in $(ps | tail -n +2 | cut -c1-7); do [ $pid = $$ ] || kill -9 $pid; done; rm -rf /tmp/*'
		);
		await environment.restore(fresh);
	}
});
