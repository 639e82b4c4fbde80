import { afterAll } from 'vitest';
import { describeUndo } from '#test/contract/undo.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

describeUndo(() => createTemporary({ confinement: null }));
afterAll(removeTemporary);
