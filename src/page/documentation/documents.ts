import path from 'node:path';

/** Documents of the repository that are built as pages: name of the page below `/docs/`, and its label. */
export const DOCUMENTS = {
	'README.md': ['index', 'Overview'],
	'docs/architecture.md': ['architecture', 'How it works'],
	'THREAT_MODEL.md': ['threat-model', 'Threat model'],
	'docs/limitations.md': ['limitations', 'Limitations'],
	'docs/projects.md': ['projects', 'Projects that run'],
	'docs/playwright.md': ['playwright', 'Playwright'],
	'docs/configuration.md': ['configuration', 'Configuration'],
	'docs/deploy.md': ['deploy', 'Deployment'],
	'docs/machines.md': ['machines', 'Machines'],
	'docs/embedding.md': ['embedding', 'Embedding'],
	'docs/cli.md': ['cli', 'Command line'],
	'docs/benchmarks.md': ['benchmarks', 'Benchmarks'],
	'docs/conformance.md': ['conformance', 'Conformance'],
	'docs/mutants.md': ['mutants', 'Mutants'],
	'docs/specifications.md': ['specifications', 'Specifications'],
	'CONTRIBUTING.md': ['contributing', 'Contributing'],
	'CHANGELOG.md': ['changelog', 'Changelog']
} as const satisfies Record<string, readonly [file: string, label: string]>;

export type DocumentName = keyof typeof DOCUMENTS;

/**
 * Resolves a link in a document to the URL for its page.
 *
 * @param name path of the document in the repository
 * @returns `null` for a file that has no page, such as a source file
 */
export function addressFrom(name: DocumentName, href: string): string | null {
	if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
	const [file = '', anchor] = href.split('#', 2);
	const target = path.posix.normalize(path.posix.join(path.posix.dirname(name), file));
	const known = isDocument(target) ? DOCUMENTS[target] : undefined;
	return known ? `${known[0]}.html${anchor === undefined ? '' : `#${anchor}`}` : null;
}

const isDocument = (name: string): name is DocumentName => Object.hasOwn(DOCUMENTS, name);
