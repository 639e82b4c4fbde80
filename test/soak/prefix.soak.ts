import { afterAll, beforeAll } from 'vitest';
import { describeEnvironment } from '../contract/environment.ts';
import { startSshServer, type SshServer } from '../environment/prefix/ssh-server.ts';
import { createPrefixed, removePrefixed } from '../environment/prefix/temporary.ts';

let server: SshServer;
beforeAll(async () => {
	server = await startSshServer();
});
afterAll(() => server.stop());

describeEnvironment('PrefixExecutionEnvironment over ssh', {
	create: () => createPrefixed(server.prefix),
	dispose: removePrefixed
});
