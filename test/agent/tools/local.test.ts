import { spawnSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';
import { describeTools } from '#test/contract/tools.ts';
import { asOrdinaryUser } from '#test/environment/local/ordinary-user.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

const lacks = {
	...(spawnSync('pdftotext', ['-v']).error ? { pdf: 'no pdftotext on this machine' } : {}),
	// `npm run mutants` runs tests in threads, which cannot switch to another user, and slows the code down considerably.
	...(isMainThread
		? {}
		: { permissions: 'a thread has the user of its process', speed: 'the code counts what runs of it' })
};

describeTools('LocalExecutionEnvironment', {
	create: () => createTemporary({ confinement: null }),
	dispose: removeTemporary,
	asOrdinaryUser,
	lacks
});
