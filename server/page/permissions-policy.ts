/** Browser features that neither the page nor its frames use. */
const DENIED_FEATURES = [
	'accelerometer',
	'browsing-topics',
	'camera',
	'display-capture',
	'encrypted-media',
	'gamepad',
	'geolocation',
	'gyroscope',
	'hid',
	'identity-credentials-get',
	'idle-detection',
	'local-fonts',
	'magnetometer',
	'microphone',
	'midi',
	'otp-credentials',
	'payment',
	'picture-in-picture',
	'publickey-credentials-create',
	'publickey-credentials-get',
	'screen-wake-lock',
	'serial',
	'storage-access',
	'usb',
	'window-management',
	'xr-spatial-tracking'
];
const CLIPBOARD = ['clipboard-read', 'clipboard-write'];
const denied = (features: readonly string[]): string[] => features.map((feature) => `${feature}=()`);

/** Policy of the page: it copies and pastes, and lets a served preview play media and go full screen. */
export const PAGE_FEATURES = [...denied(DENIED_FEATURES), ...CLIPBOARD.map((each) => `${each}=(self)`)].join(', ');
/** Policy of documents that display or run foreign content: they use none of these features. */
export const FRAME_FEATURES = denied([...DENIED_FEATURES, ...CLIPBOARD, 'autoplay', 'fullscreen']).join(', ');
