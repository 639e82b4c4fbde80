import { FRAME_FEATURES } from './permissions-policy.ts';
import { networkPolicies } from '../preview/network-policies.ts';

/**
 * Document that displays HTML written by the agent, in an opaque origin without network access. It posts
 * `sandglass:preview-ready` to its parent, takes one MessagePort from it, and is replaced by the `{ html }`
 * that arrives on it. Messages that the displayed document posts to its parent are not to be trusted.
 */
export const PREVIEW_FRAME = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<script>
addEventListener('message', (event) => {
	const port = event.ports[0];
	if (event.source !== parent || !port) return;
	port.onmessage = ({ data }) => {
		if (typeof data?.html !== 'string') return;
		port.close();
		document.open();
		document.write(data.html);
		document.close();
	};
});
parent.postMessage('sandglass:preview-ready', '*');
</script>
`;

/**
 * Headers of the preview frame.
 * @param host the checked `Host`: only our own page may embed the frame
 */
export function previewFrameHeaders(host: string): Record<string, string> {
	return {
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-cache',
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'cross-origin',
		'permissions-policy': FRAME_FEATURES,
		...networkPolicies('()'),
		'content-security-policy': [
			'sandbox allow-scripts allow-forms',
			"default-src 'none'",
			"script-src 'unsafe-inline'",
			"style-src 'unsafe-inline'",
			'img-src data: blob:',
			'font-src data:',
			'media-src data: blob:',
			"connect-src 'none'",
			"form-action 'none'",
			"base-uri 'none'",
			`frame-ancestors ${host}`
		].join('; ')
	};
}
