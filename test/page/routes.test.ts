import { describe, expect, it } from 'vitest';
import { eventAddress, parseRoute, sessionHash } from '#page/routes.ts';

describe('parseRoute', () => {
	it.each([
		['', { kind: 'front' }],
		['#/', { kind: 'front' }],
		['#nonsense', { kind: 'front' }],
		['#/session/5174a15a-2ae3', { kind: 'session', id: '5174a15a-2ae3' }],
		['#/session/../etc', { kind: 'front' }],
		['#session/5174a15a-2ae3/42', { kind: 'session', id: '5174a15a-2ae3', event: 42 }],
		['#session/5174a15a-2ae3/4x', { kind: 'front' }],
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

	it('reads back the address of an event, which only an open session has', () => {
		const address = eventAddress('https://example.org/#session/a-b_c', 7) ?? '';
		expect(parseRoute(new URL(address).hash)).toEqual({ kind: 'session', id: 'a-b_c', event: 7 });
		expect(eventAddress(address, 8)).toBe('https://example.org/#session/a-b_c/8');
		expect(eventAddress('https://example.org/#gh/owner/repo', 7)).toBeNull();
	});

	it('reads back the address of a session', () => {
		expect(parseRoute(sessionHash('a-b_c'))).toEqual({ kind: 'session', id: 'a-b_c' });
	});
});
