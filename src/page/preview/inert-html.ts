/**
 * Lets any text through. It is put only into a document made by `DOMParser`, which runs nothing; that is shown in a frame
 * of an opaque origin.
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

/** Address in such a document, as `embed` and `object` take it too. */
export const inertAddress = (address: string): string => policy?.createScriptURL(address) ?? address;
