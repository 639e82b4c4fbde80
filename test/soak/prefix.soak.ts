import { afterAll, beforeAll } from 'vitest';
import { describeEnvironment } from '#test/contract/environment.ts';
import { startSshServer, type SshServer } from '#test/environment/prefix/ssh-server.ts';
import { createPrefixed, removePrefixed } from '#test/environment/prefix/temporary.ts';

let server: SshServer;
beforeAll(async () => {
	server = await startSshServer();
});
afterAll(() => server.stop());

describeEnvironment('PrefixExecutionEnvironment over ssh', {
	create: () => createPrefixed(server.prefix),
	dispose: removePrefixed
});
