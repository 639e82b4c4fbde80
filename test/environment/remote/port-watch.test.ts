import { expect, it } from 'vitest';
import { PortWatch } from '#environment/remote/port-watch.ts';

const SERVER = { port: 3000, pid: 7, command: 'serve' };

it('a refresh sees a port that opened while a look was under way', async () => {
	const looks: ((ports: (typeof SERVER)[]) => void)[] = [];
	const watch = new PortWatch(() => new Promise((resolve) => looks.push(resolve)), 1_000_000);

	const early = watch.refresh();
	const late = watch.refresh();
	const later = watch.refresh();
	looks[0]?.([]);
	await early;
	expect(watch.ports).toEqual([]);
	await expect.poll(() => looks.length).toBe(2);
	looks[1]?.([SERVER]);
	await Promise.all([late, later]);

	expect(watch.ports).toEqual([SERVER]);
	expect(looks).toHaveLength(2);
});
