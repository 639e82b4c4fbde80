import { spawnSync } from 'node:child_process';
import { describeTools } from '../../contract/tools.ts';
import { asOrdinaryUser } from '../../environment/local/ordinary-user.ts';
import { createTemporary, removeTemporary } from '../../environment/local/temporary.ts';

const lacks = spawnSync('pdftotext', ['-v']).error ? { pdf: 'no pdftotext on this machine' } : {};

describeTools('LocalExecutionEnvironment', {
	create: () => createTemporary(),
	dispose: removeTemporary,
	asOrdinaryUser,
	lacks
});
