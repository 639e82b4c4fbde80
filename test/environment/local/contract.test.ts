import { describeEnvironment } from '../../contract/environment.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

describeEnvironment('LocalExecutionEnvironment', { create: () => createTemporary(), dispose: removeTemporary });
