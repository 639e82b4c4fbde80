import { expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { branchTo } from '#page/project/branch-to.ts';

const entry = (id: string, parentId: string | null): SessionEntry => ({
	id,
	parentId,
	timestamp: 1,
	type: 'session',
	version: 1,
	sessionId: 's',
	title: 's'
});

// root – a – b, then back to a and on with c.
const tree = [entry('root', null), entry('a', 'root'), entry('b', 'a'), entry('c', 'a')];
const ids = (id: string | null): string[] => branchTo(tree, id).map((each) => each.id);

it('follows the parents, also on a branch that was left', () => {
	expect(ids('c')).toEqual(['root', 'a', 'c']);
	expect(ids('b')).toEqual(['root', 'a', 'b']);
});

it('is the root alone before the conversation began, and nothing for an unknown entry', () => {
	expect(ids(null)).toEqual(['root']);
	expect(ids('z')).toEqual([]);
	expect(branchTo([], null)).toEqual([]);
});
