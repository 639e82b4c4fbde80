/** Frame in which the drawing library reads the default style of elements. */
type StyleFrame = HTMLIFrameElement;

/**
 * A place without the page's styles inside the page itself. In a closed preview the library's own frame has another
 * origin than the page, whose scripts cannot read it.
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
				// An element of the page's own making would run the page's code; without that it is one as `span` is.
				createElement: (name: string) => document.createElement(name.includes('-') ? 'span' : name),
				createElementNS: (namespace: string, name: string) => document.createElementNS(namespace, name)
			},
			getComputedStyle: (element: Element, pseudo?: string | null) => getComputedStyle(element, pseudo)
		},
		remove: () => host.remove()
	};
	return frame as unknown as StyleFrame;
}
