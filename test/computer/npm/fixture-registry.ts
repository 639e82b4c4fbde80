import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { LoopbackRegistry } from './loopback-registry.ts';

type Files = Record<string, string | Uint8Array>;

interface Published {
	manifest: Record<string, unknown>;
	tarball: Buffer;
}

/** A registry on the loopback: packages made for a test, or packed from an installed `node_modules`. */
export class FixtureRegistry extends LoopbackRegistry {
	readonly #packages = new Map<string, Map<string, Published>>();
	readonly #tags = new Map<string, Record<string, string>>();
	readonly requests: string[] = [];

	/** @param files files besides package.json, by path inside the package */
	publish(manifest: { name: string; version: string } & Record<string, unknown>, files: Files = {}): this {
		const { name, version } = manifest;
		const all = { 'package.json': JSON.stringify(manifest), ...files };
		const versions = this.#packages.get(name) ?? new Map<string, Published>();
		this.#packages.set(name, versions);
		versions.set(version, { manifest, tarball: gzipSync(pack(all), { level: 1 }) });
		this.#tags.set(name, { ...this.#tags.get(name), latest: version });
		return this;
	}

	tag(name: string, tag: string, version: string): void {
		this.#tags.set(name, { ...this.#tags.get(name), [tag]: version });
	}

	/** Publishes an installed package and all its dependencies. @param from path from which Node would resolve it */
	publishInstalled(name: string, from: string): this {
		let at = from;
		while (!fs.existsSync(path.join(at, 'node_modules', name, 'package.json'))) {
			if (at === path.dirname(at)) throw new Error(`${name} is not installed`);
			at = path.dirname(at);
		}
		const directory = path.join(at, 'node_modules', name);
		const manifest = JSON.parse(fs.readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
			name: string;
			version: string;
			dependencies?: Record<string, string>;
		};
		if (this.#packages.get(name)?.has(manifest.version)) return this;
		const files: Files = {};
		for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
			const file = path.relative(directory, path.join(entry.parentPath, entry.name));
			if (entry.isFile() && !file.startsWith('node_modules')) files[file] = fs.readFileSync(path.join(directory, file));
		}
		this.publish(manifest, files);
		for (const dependency of Object.keys(manifest.dependencies ?? {})) this.publishInstalled(dependency, directory);
		return this;
	}

	/** Changes a packed file after its hash was published. */
	tamper(name: string, version: string): void {
		const published = this.#packages.get(name)?.get(version);
		if (!published) throw new Error(`${name}@${version} was not published`);
		this.#integrity.set(published.tarball, integrity(published.tarball));
		const other = gzipSync(pack({ 'package.json': '{}', 'evil.js': '1' }));
		this.#integrity.set(other, integrity(published.tarball));
		published.tarball = other;
	}
	readonly #integrity = new Map<Buffer, string>();

	protected answer({ url = '' }: http.IncomingMessage, response: http.ServerResponse): void {
		this.requests.push(url);
		const [name = '', file] = decodeURIComponent(url.slice(1)).split('/-/');
		const versions = this.#packages.get(name);
		if (!versions) return void response.writeHead(404).end('{}');
		if (file !== undefined) {
			const found = [...versions.entries()].find(([version]) => file.endsWith(`-${version}.tgz`));
			return void (found ? response.end(found[1].tarball) : response.writeHead(404).end());
		}
		const described = [...versions].map(([version, { manifest, tarball }]) => {
			const file = `${this.url}${name}/-/${name.split('/').pop()}-${version}.tgz`;
			const shasum = createHash('sha1').update(tarball).digest('hex');
			const dist = { tarball: file, shasum, integrity: this.#integrity.get(tarball) ?? integrity(tarball) };
			return [version, { ...manifest, dist }] as const;
		});
		response.setHeader('Content-Type', 'application/json');
		response.end(
			JSON.stringify({ _id: name, name, 'dist-tags': this.#tags.get(name), versions: Object.fromEntries(described) })
		);
	}
}

const integrity = (bytes: Uint8Array) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** A tar archive with everything below `package/`, long names in POSIX format. */
export function pack(files: Files): Buffer {
	const blocks: Buffer[] = [];
	const add = (name: string, bytes: Buffer, type: string, mode: number) => {
		const header = Buffer.alloc(512);
		header.write(name.slice(0, 100), 0);
		header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
		header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
		header.write('        ', 148);
		header.write(type, 156);
		header.write('ustar\x0000', 257);
		const sum = header.reduce((total, byte) => total + byte, 0);
		header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
		blocks.push(header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
	};
	for (const [file, content] of Object.entries(files)) {
		const name = `package/${file}`;
		if (name.length > 100) {
			const record = ` path=${name}\n`;
			let length = record.length + 2;
			while (String(length).length + record.length !== length) length++;
			add('pax', Buffer.from(`${length}${record}`), 'x', 0o644);
		}
		add(name, Buffer.from(content), '0', file.startsWith('bin/') ? 0o755 : 0o644);
	}
	return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
