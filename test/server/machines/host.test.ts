import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostProvider } from '#server/machines/host.ts';
import { describeMachineProvider } from '#test/contract/machine-provider.ts';

let folder: string;

describeMachineProvider('a folder of this computer as a machine', {
	isPermanent: true,
	open: async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'sandglass-host-'));
		return hostProvider(folder);
	},
	dispose: () => rm(folder, { recursive: true, force: true })
});
