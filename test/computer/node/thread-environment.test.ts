import { expect, it } from 'vitest';
import { threadEnvironment } from '#computer/node/threads/thread-environment.ts';

it('gives a thread what its program sets, as text, and what a thread in a browser needs unless that is set', () => {
	expect(threadEnvironment({ A: '1', gone: undefined })).toEqual({ A: '1', PISCINA_DISABLE_ATOMICS: '1' });
	expect(threadEnvironment({ PISCINA_DISABLE_ATOMICS: '0' })).toEqual({ PISCINA_DISABLE_ATOMICS: '0' });
});
