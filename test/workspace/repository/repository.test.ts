import { afterAll } from 'vitest';
import { describeRepository } from '#test/contract/repository.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

describeRepository(() => createTemporary());
afterAll(removeTemporary);
