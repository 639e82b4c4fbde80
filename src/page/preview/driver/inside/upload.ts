import type { TestFile } from '#environment/preview-testing.ts';

/** Selects files in a file input, or in the input of a label. @throws Error for any other element */
export function chooseFiles(element: Element, files: readonly TestFile[]): void {
	const input = element instanceof HTMLLabelElement ? element.control : element;
	if (!(input instanceof HTMLInputElement) || input.type !== 'file') throw new Error('Node is not an HTMLInputElement');
	if (files.length > 1 && !input.multiple) throw new Error('Non-multiple file input can only accept single file');
	const chosen = new DataTransfer();
	for (const { name, type, content } of files) {
		const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
		chosen.items.add(new File([bytes], name, { type }));
	}
	input.files = chosen.files;
	for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, { bubbles: true, composed: true }));
}
