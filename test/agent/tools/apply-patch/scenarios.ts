/** Small scenarios of the patch format; a path with `null` does not exist. */
export interface PatchScenario {
	name: string;
	patch: string[];
	before: Record<string, string>;
	/** `null` if refused, which leaves the files unchanged. */
	after: Record<string, string> | null;
}

export const patchScenarios: PatchScenario[] = [
	{
		name: 'appends where a hunk only adds',
		patch: ['*** Update File: a', '@@', '+three', '+four'],
		before: { a: 'one\ntwo\n' },
		after: { a: 'one\ntwo\nthree\nfour\n' }
	},
	{
		name: 'adds behind the line its header names',
		patch: ['*** Update File: a', '@@ one', '+between'],
		before: { a: 'one\ntwo\n' },
		after: { a: 'one\nbetween\ntwo\n' }
	},
	{
		name: 'finds the hunks behind one that only adds',
		patch: ['*** Update File: a', '@@', '+three', '@@', '-one', '+1'],
		before: { a: 'one\ntwo\n' },
		after: { a: '1\ntwo\nthree\n' }
	},
	{
		name: 'takes a line that reads like a header for one of the file',
		patch: ['*** Update File: a', '@@', ' *** Update File: b', '-one', '+1'],
		before: { a: '*** Update File: b\none\n' },
		after: { a: '*** Update File: b\n1\n' }
	},
	{
		name: 'keeps a file that is moved onto itself',
		patch: ['*** Update File: a', '*** Move to: a', '@@', '-one', '+1'],
		before: { a: 'one\n' },
		after: { a: '1\n' }
	},
	{
		name: 'takes an empty line behind the last one for the end of the file',
		patch: ['*** Update File: a', '@@', '-one', '-', '+1'],
		before: { a: 'one\n' },
		after: { a: '1\n' }
	},
	{
		name: 'may be closed twice',
		patch: ['*** Update File: a', '@@', '-one', '+1', '*** End Patch'],
		before: { a: 'one\n' },
		after: { a: '1\n' }
	},
	{
		name: 'ends the last line of a file it rewrites',
		patch: ['*** Update File: a', '@@', '-no end', '+first', '+second'],
		before: { a: 'no end' },
		after: { a: 'first\nsecond\n' }
	},
	{
		name: 'tolerates spaces around markers',
		patch: ['  *** Update File: a ', '@@ ', '-one', '+1'],
		before: { a: 'one\n' },
		after: { a: '1\n' }
	},
	{
		name: 'moves over an existing file',
		patch: ['*** Update File: a', '*** Move to: b', '@@', '-one', '+1'],
		before: { a: 'one\n', b: 'old\n' },
		after: { b: '1\n' }
	},
	{
		name: 'moves without a change',
		patch: ['*** Update File: a', '*** Move to: d/b'],
		before: { a: 'one\n' },
		after: { 'd/b': 'one\n' }
	},
	{
		name: 'updates what it adds',
		patch: ['*** Add File: a', '+one', '*** Update File: a', '@@', '-one', '+1'],
		before: {},
		after: { a: '1\n' }
	},
	{
		name: 'keeps CRLF in the lines it adds',
		patch: ['*** Update File: a', '@@', ' one', '+new', ' two'],
		before: { a: 'one\r\ntwo\r\n' },
		after: { a: 'one\r\nnew\r\ntwo\r\n' }
	},
	{
		name: 'makes an empty file',
		patch: ['*** Add File: a'],
		before: {},
		after: { a: '' }
	},
	{
		name: 'refuses to delete what is not there',
		patch: ['*** Delete File: nope'],
		before: { a: 'one\n' },
		after: null
	},
	{
		name: 'refuses to delete a directory',
		patch: ['*** Delete File: d'],
		before: { 'd/a': 'one\n' },
		after: null
	},
	{
		name: 'refuses a second file that fails',
		patch: ['*** Add File: b', '+x', '*** Delete File: nope'],
		before: { a: 'one\n' },
		after: null
	}
];
