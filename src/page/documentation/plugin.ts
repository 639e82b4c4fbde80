import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { documentPage } from './document-page.ts';
import { DOCUMENTS, type DocumentName } from './documents.ts';

const PICTURES = ['screenshot-light.png', 'screenshot-dark.png'];

/** Builds the documents of the repository as pages below `/docs/`, so that the page can link to them. */
export function documentPages(): Plugin {
	let root = '';
	const read = (name: string): Buffer => readFileSync(path.join(root, name));
	return {
		name: 'sandglass:documents',
		apply: 'build',
		configResolved(config) {
			root = config.root;
		},
		generateBundle() {
			const emit = (name: string, source: string | Uint8Array): void =>
				void this.emitFile({ type: 'asset', fileName: `docs/${name}`, source });
			for (const name of Object.keys(DOCUMENTS) as DocumentName[])
				emit(`${DOCUMENTS[name][0]}.html`, documentPage(name, read(name).toString()));
			for (const picture of PICTURES) emit(picture, read(`docs/${picture}`));
			const style = ['src/page/style/tokens.css', 'src/page/documentation/document.css'];
			emit('document.css', style.map((name) => read(name).toString()).join('\n'));
		}
	};
}
