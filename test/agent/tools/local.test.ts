import { describeTools } from '../../contract/tools.ts';
import { createTemporary, removeTemporary } from '../../environment/local/temporary.ts';

describeTools('LocalExecutionEnvironment', { create: () => createTemporary(), dispose: removeTemporary });
