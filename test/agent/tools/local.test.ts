import { spawnSync } from 'node:child_process';
import { describeTools } from '#test/contract/tools.ts';
import { asOrdinaryUser } from '#test/environment/local/ordinary-user.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

const lacks = spawnSync('pdftotext', ['-v']).error ? { pdf: 'no pdftotext on this machine' } : {};

describeTools('LocalExecutionEnvironment', {
	create: () => createTemporary(),
	dispose: removeTemporary,
	asOrdinaryUser,
	lacks
});
