import { expect, it } from 'vitest';
import { parseFrames } from '#computer/node/runtime/spidermonkey-stack.ts';

it('reads the frames of a stack that Firefox printed', () => {
	const stack = [
		'inner@/workspace/a@1.js:2:9',
		'run/<@/workspace/a.js:4:33',
		'Outer/run@/workspace/a.js:4:23',
		'async*main@/workspace/a.js:7:3',
		'@/workspace/a.js:9:1',
		'no frame',
		''
	].join('\n');
	expect(parseFrames(stack)).toEqual([
		{ name: 'inner', file: '/workspace/a@1.js', line: 2, column: 9 },
		{ name: '<anonymous>', file: '/workspace/a.js', line: 4, column: 33 },
		{ name: 'run', file: '/workspace/a.js', line: 4, column: 23 },
		{ name: 'async main', file: '/workspace/a.js', line: 7, column: 3 },
		{ name: '', file: '/workspace/a.js', line: 9, column: 1 }
	]);
});
