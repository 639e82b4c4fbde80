interface Device {
	viewport: { width: number; height: number };
	defaultBrowserType: string;
}

const device = (width: number, height: number, defaultBrowserType: string): Device => ({
	viewport: { width, height },
	defaultBrowserType
});

/** Viewport sizes of Playwright's best-known devices; only the size is supported in a tab. */
export const devices: Readonly<Record<string, Device>> = {
	'Desktop Chrome': device(1280, 720, 'chromium'),
	'Desktop Chrome HiDPI': device(1280, 720, 'chromium'),
	'Desktop Edge': device(1280, 720, 'chromium'),
	'Desktop Firefox': device(1280, 720, 'firefox'),
	'Desktop Safari': device(1280, 720, 'webkit'),
	'Galaxy S9+': device(320, 658, 'chromium'),
	'Pixel 5': device(393, 727, 'chromium'),
	'Pixel 7': device(412, 839, 'chromium'),
	'iPhone SE': device(320, 568, 'webkit'),
	'iPhone 12': device(390, 664, 'webkit'),
	'iPhone 13': device(390, 664, 'webkit'),
	'iPhone 14': device(390, 664, 'webkit'),
	'iPhone 15': device(393, 659, 'webkit'),
	'iPad (gen 7)': device(810, 1080, 'webkit'),
	'iPad Mini': device(768, 1024, 'webkit')
};
