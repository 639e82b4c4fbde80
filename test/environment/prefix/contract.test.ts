import { describeEnvironment } from '#test/contract/environment.ts';
import { createPrefixed, removePrefixed, sshLike } from './temporary.ts';

// Over a real connection it takes minutes on a busy machine: that is in the soak tests, and a part in ssh.test.ts.
describeEnvironment('PrefixExecutionEnvironment', { create: () => createPrefixed(sshLike()), dispose: removePrefixed });
