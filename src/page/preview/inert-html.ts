/** Lets any HTML through: it is parsed into a document without scripts, and shown in a frame of an opaque origin only. */
const policy = globalThis.trustedTypes?.createPolicy('sandglass-inert', { createHTML: (text: string): string => text });

/** HTML for a document made by `DOMParser`; never for the page's own. */
export const inertHtml = (text: string): string => policy?.createHTML(text) ?? text;
