import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** A page of a Debian package's documentation. */
export interface ForeignPage {
	package: string;
	/** Path within the package. */
	page: string;
}

const doc = (name: string, page: string, folder = `usr/share/doc/${name}`): ForeignPage => ({
	package: name,
	page: `${folder}/${page}`
});

/** Twenty pages by twenty authors: style sheets, tables, code, pictures and framesets of links of all kinds. */
export const PAGES_OF_OTHERS: readonly ForeignPage[] = [
	doc('apache2-doc', 'manual/en/bind.html'),
	doc('cmake-doc', 'html/command/add_custom_command.html', 'usr/share/doc/cmake-data'),
	doc('debian-policy', 'policy.html/ch-archive.html'),
	doc('developers-reference', 'best-pkging-practices.html', 'usr/share/developers-reference'),
	doc('doxygen-doc', 'html/autolink.html', 'usr/share/doc/doxygen'),
	doc('ffmpeg-doc', 'api/aes_8h.html', 'usr/share/doc/ffmpeg'),
	doc('git-doc', 'SubmittingPatches.html'),
	doc('graphviz-doc', 'html/info/arrows.html', 'usr/share/doc/graphviz'),
	doc('libxml2-doc', 'html/architecture.html', 'usr/share/doc/libxml2'),
	doc('mkdocs-doc', 'html/dev-guide/api.html', 'usr/share/doc/mkdocs'),
	doc('nodejs-doc', 'api/assert.html', 'usr/share/doc/nodejs'),
	doc('postgresql-doc-15', 'html/amcheck.html'),
	doc('python-click-doc', 'html/advanced.html'),
	doc('python-django-doc', 'html/intro/tutorial01.html'),
	doc('python-flask-doc', 'html/blueprints.html'),
	doc('python-jinja2-doc', 'html/extensions.html'),
	doc('python-pygments-doc', 'html/docs/cmdline.html'),
	doc('python-requests-doc', 'html/index.html'),
	doc('python-sqlalchemy-doc', 'html/intro.html'),
	doc('w3c-markup-validator', 'html/docs/api.html', 'usr/share/w3c-markup-validator')
];

/**
 * Unpacks the packages below `cache`, one folder each; existing folders are kept.
 *
 * @throws Error if this machine has no working `apt-get`
 */
export async function unpackPages(cache: string): Promise<void> {
	await mkdir(cache, { recursive: true });
	for (const { package: name } of PAGES_OF_OTHERS) {
		const folder = path.join(cache, name);
		if (existsSync(folder)) continue;
		const script = `set -e; apt-get download -q "$1"; dpkg-deb -x "$1"_*.deb "$1.part"; rm "$1"_*.deb; mv "$1.part" "$1"`;
		const { status, stderr, error } = spawnSync('sh', ['-c', script, 'sh', name], { cwd: cache, encoding: 'utf8' });
		if (status !== 0) throw new Error(`apt-get gave no ${name}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
	}
}
