/** Frame in which the drawing library reads the default style of elements. */
type StyleFrame = HTMLIFrameElement;

/**
 * Creates a container without the page's styles inside the page itself. In a sandboxed preview, the library's own frame
 * has a different origin, which the page's scripts cannot access.
 */
export function plainStyles(): StyleFrame {
	const host = document.createElement('div');
	host.style.cssText = 'all: initial; position: fixed; left: -9999px; width: 100px';
	const body = host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('div'));
	document.documentElement.append(host);
	const frame = {
		contentWindow: {
			document: {
				body,
				// A custom element would run the page's code; without that, it has the default style of `span`.
				createElement: (name: string) => document.createElement(name.includes('-') ? 'span' : name),
				createElementNS: (namespace: string, name: string) => document.createElementNS(namespace, name)
			},
			getComputedStyle: (element: Element, pseudo?: string | null) => getComputedStyle(element, pseudo)
		},
		remove: () => host.remove()
	};
	return frame as unknown as StyleFrame;
}
