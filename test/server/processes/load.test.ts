import { expect, it } from 'vitest';
import { playLoad } from './load.ts';

const notLinux = process.platform === 'linux' ? undefined : 'memory is read from /proc';

it.skipIf(notLinux)(
	`answers a mix of streams, broken-off streams, shares, doors and refusals, and lets go of each${notLinux ? `: ${notLinux}` : ''}`,
	async () => {
		const { wrong, openBehindIt, requests } = await playLoad(2_000, 7);
		expect(wrong).toEqual([]);
		expect(openBehindIt).toBe(0);
		expect(requests).toBeGreaterThan(24);
	}
);
