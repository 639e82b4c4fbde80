import { describeCodeMode } from '#test/contract/code-mode.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

describeCodeMode('LocalExecutionEnvironment', { create: () => createTemporary(), dispose: removeTemporary });
