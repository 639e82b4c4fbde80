import { afterAll } from 'vitest';
import { describeUndo } from '../contract/undo.ts';
import { createTemporary, removeTemporary } from '../environment/local/temporary.ts';

describeUndo(() => createTemporary());
afterAll(removeTemporary);
