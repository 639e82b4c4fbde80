/**
 * Accepts any text. It is used only for documents created by `DOMParser`, which run nothing; they are displayed in a
 * frame with an opaque origin.
 */
const policy = globalThis.trustedTypes?.createPolicy('sandglass-inert', {
	createHTML: (text: string): string => text,
	createScript: (text: string): string => text,
	createScriptURL: (address: string): string => address
});

/** HTML for a document made by `DOMParser`; never for the page's own. */
export const inertHtml = (text: string): string => policy?.createHTML(text) ?? text;

/** Text of a script in such a document. */
export const inertScript = (text: string): string => policy?.createScript(text) ?? text;

/** URL in such a document, also valid for `embed` and `object`. */
export const inertAddress = (address: string): string => policy?.createScriptURL(address) ?? address;
