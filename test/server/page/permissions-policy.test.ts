import { expect, it } from 'vitest';
import { FRAME_FEATURES, PAGE_FEATURES } from '#server/page/permissions-policy.ts';

it('denies every feature of the browser that nothing here uses, and more of them to frames', () => {
	const denied = PAGE_FEATURES.split(', ').filter((each) => each.endsWith('=()'));
	for (const feature of [
		'camera',
		'microphone',
		'geolocation',
		'usb',
		'serial',
		'hid',
		'midi',
		'payment',
		'display-capture'
	])
		expect(denied).toContain(`${feature}=()`);
	expect(denied).toHaveLength(26);
	for (const each of [...denied, ...FRAME_FEATURES.split(', ')]) expect(each).toMatch(/^[a-z]+(-[a-z]+)*=\(\)$/);
	expect(PAGE_FEATURES.split(', ').filter((each) => !denied.includes(each))).toEqual([
		'clipboard-read=(self)',
		'clipboard-write=(self)'
	]);
	expect(FRAME_FEATURES.split(', ')).toEqual([
		...denied,
		'clipboard-read=()',
		'clipboard-write=()',
		'autoplay=()',
		'fullscreen=()'
	]);
});
