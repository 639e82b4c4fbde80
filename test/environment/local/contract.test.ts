import { describeEnvironment } from '#test/contract/environment.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

describeEnvironment('LocalExecutionEnvironment', { create: () => createTemporary(), dispose: removeTemporary });
