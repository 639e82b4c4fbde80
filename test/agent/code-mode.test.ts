import { describeCodeMode } from '../contract/code-mode.ts';
import { createTemporary, removeTemporary } from '../environment/local/temporary.ts';

describeCodeMode('LocalExecutionEnvironment', { create: () => createTemporary(), dispose: removeTemporary });
