import fc from '#test/fast-check.ts';
import { it } from 'vitest';
import { history, type Happening } from './histories/history.ts';
import { play } from './histories/play.ts';

it('keeps every acknowledged step and none half, whatever happens to tab, disk and clock', async () => {
	await fc.assert(fc.asyncProperty(history, play), { numRuns: 300, seed: 20261121 });
});

it('keeps for a checkpoint what was moved into the project and written over at once', async () => {
	const happenings: Happening[] = [
		// The store is still busy when the file arrives.
		{ do: 'checkpoint' },
		{ do: 'write', path: '/tmp/e', text: 'moved' },
		{ do: 'rename', path: '/tmp/e', to: '/workspace/a' },
		{ do: 'checkpoint' },
		{ do: 'write', path: '/workspace/a', text: 'written over' },
		{ do: 'flush' }
	];
	await play(happenings);
});

it('keeps what was moved into the project and moved on before it could be read', async () => {
	await play([
		{ do: 'write', path: '/tmp/e', text: 'moved' },
		{ do: 'rename', path: '/tmp/e', to: '/workspace/dir/d' },
		{ do: 'rename', path: '/workspace/dir/d', to: '/workspace/a' },
		{ do: 'flush' },
		{ do: 'kill' }
	]);
});
