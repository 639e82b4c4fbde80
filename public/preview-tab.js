// The tab that opened this one puts the preview's frame into it. The frame takes its connection from its parent only,
// which is this document: it passes the opener's on. A visitor of the address has no opener, and nothing happens.
const { opener } = globalThis;
addEventListener('message', ({ source, origin, data, ports }) => {
	if (source !== opener || origin !== location.origin || typeof data?.to !== 'string') return;
	document.querySelector('iframe')?.contentWindow?.postMessage(data.greeting, data.to, [...ports]);
});
opener?.postMessage('sandglass:preview-tab', location.origin);
