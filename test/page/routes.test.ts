import { describe, expect, it } from 'vitest';
import { parseRoute, sessionHash } from '../../src/page/routes.ts';

describe('parseRoute', () => {
	it.each([
		['', { kind: 'front' }],
		['#/', { kind: 'front' }],
		['#nonsense', { kind: 'front' }],
		['#/session/5174a15a-2ae3', { kind: 'session', id: '5174a15a-2ae3' }],
		['#/session/../etc', { kind: 'front' }],
		['#/gh/owner/repo', { kind: 'import', url: 'https://github.com/owner/repo' }],
		['#gh/owner/repo.git', { kind: 'import', url: 'https://github.com/owner/repo' }],
		['#gh/owner/re.po@feature/x', { kind: 'import', url: 'https://github.com/owner/re.po', ref: 'feature/x' }],
		['#gh/owner', { kind: 'front' }],
		['#s=d7F5Qb.E2jr-A_', { kind: 'stored-share', id: 'd7F5Qb', key: 'E2jr-A_' }],
		['#/s=d7F5Qb.E2jr', { kind: 'stored-share', id: 'd7F5Qb', key: 'E2jr' }],
		['#s=d7F5Qb', { kind: 'damaged-share' }],
		['#i=H4sIAAAA_-', { kind: 'inline-share', data: 'H4sIAAAA_-' }],
		['#%E0%A4%A', { kind: 'front' }]
	])('reads %j', (hash, route) => {
		expect(parseRoute(hash)).toEqual(route);
	});

	it('reads back the address of a session', () => {
		expect(parseRoute(sessionHash('a-b_c'))).toEqual({ kind: 'session', id: 'a-b_c' });
	});
});
