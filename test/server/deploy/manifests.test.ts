import { validate } from 'dockerfile-utils';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadConfiguration } from '#server/configuration/load.ts';
import { networkPolicies } from '#server/machines/kubernetes/answers.ts';
import { networkProblem } from '#server/machines/kubernetes/network-policy.ts';
import { readTemplate } from '#server/machines/kubernetes/template.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(root, 'deploy', name), 'utf8');
const secrets = { SANDGLASS_TOKEN: 'a-long-random-word', S3_SECRET_ACCESS_KEY: 'another-long-word' };

it('builds an image that runs as an ordinary user, with a health check, from files that exist', () => {
	const stages = read('Dockerfile').split(/^FROM /m);
	expect(stages).toHaveLength(3); // before the first, build, run
	const last = stages.at(-1) ?? '';
	expect(last).toMatch(/^USER node$/m);
	expect(last).toMatch(/^HEALTHCHECK [\s\S]*\/api\/health/m);
	expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('CMD'));
	for (const [, from = ''] of read('Dockerfile').matchAll(/^COPY ([^-].*) \S+$/gm))
		for (const name of from.split(' ')) expect(existsSync(path.join(root, name)), name).toBe(true);
	expect(existsSync(path.join(root, 'server/serve.mjs'))).toBe(true);
	expect(validate(read('Dockerfile'))).toEqual([]);
	expect(validate("FROM node\nCMD ['no JSON']\n")).not.toEqual([]); // it does check
	expect(read('Dockerfile')).not.toMatch(/_KEY=|TOKEN=/);
	expect(read('Dockerfile.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', 'node_modules', '.git']));
});

const service = z.object({
	image: z
		.string()
		.regex(/:[\w.-]+$/)
		.refine((image) => !image.endsWith(':latest'))
		.optional(),
	build: z.object({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }).optional(),
	environment: z.record(z.string(), z.string()).default({}),
	ports: z.array(z.string().startsWith('127.0.0.1:')).default([]),
	volumes: z.array(z.string()).default([]),
	depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({})
});
/** Replaces the variables of a compose file like Compose. */
function filledIn(environment: Record<string, string> = {}, given: Record<string, string>): Record<string, string> {
	const replaced = Object.entries(environment).map(([name, value]) => [
		name,
		value.replace(/\$\{(\w+):[?-]([^}]*)\}/, (_, variable: string, otherwise: string) => given[variable] ?? otherwise)
	]);
	return Object.fromEntries(replaced) as Record<string, string>;
}

const compose = z.strictObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) });

it('has a compose file whose services, volumes and settings fit together', () => {
	const { services, volumes } = compose.parse(parse(read('compose.yaml')));
	for (const [name, { image, build, depends_on, volumes: mounts }] of Object.entries(services)) {
		expect(image ?? build, name).toBeDefined();
		for (const needed of Object.keys(depends_on)) expect(services).toHaveProperty(needed);
		for (const mount of mounts) expect(volumes).toHaveProperty(mount.split(':')[0] ?? '');
	}
	const environment = filledIn(services['sandglass']?.environment, secrets);
	const configuration = loadConfiguration({ ...environment, ANTHROPIC_API_KEY: 'sk-test' });
	expect(configuration).toMatchObject({ HOST: '0.0.0.0', REDIS_URL: 'redis://redis:6379' });
	expect(configuration.s3).toMatchObject({ endpoint: 'http://s3:9000', secretAccessKey: secrets.S3_SECRET_ACCESS_KEY });
});

it('adds machines of an engine whose socket the operator names, and of no other', () => {
	const added = z
		.strictObject({
			services: z.strictObject({
				sandglass: z.strictObject({
					user: z.literal('${ENGINE_UID:-1000}'),
					environment: z.record(z.string(), z.string()),
					volumes: z.tuple([z.string().regex(/^\$\{ENGINE_SOCKET:\?[^}]+\}:\/run\/engine\/docker\.sock$/)])
				})
			})
		})
		.parse(parse(read('compose.machines.yaml'))).services.sandglass.environment;
	const own = compose.parse(parse(read('compose.yaml'))).services['sandglass']?.environment;
	const given = { ...secrets, SANDGLASS_MACHINE_IMAGE: 'debian:13' };
	const configuration = loadConfiguration(filledIn({ ...own, ...added }, given));
	expect(configuration).toMatchObject({
		SANDGLASS_DOCKER: '/run/engine/docker.sock',
		SANDGLASS_MACHINE_IMAGE: 'debian:13',
		SANDGLASS_MACHINE_MEMORY: 4 * 2 ** 30
	});
});

const labels = z.object({ app: z.string() });
const probe = z.object({ httpGet: z.object({ path: z.literal('/api/health'), port: z.literal('http') }) });
const container = z.object({
	image: z.string().regex(/:[\d.]+$/),
	ports: z.array(z.object({ name: z.literal('http'), containerPort: z.literal(5173) })).length(1),
	readinessProbe: probe,
	livenessProbe: probe,
	resources: z.object({ limits: z.object({ memory: z.string() }) }),
	securityContext: z.object({ allowPrivilegeEscalation: z.literal(false), readOnlyRootFilesystem: z.literal(true) })
});
const named = z.object({ metadata: z.object({ name: z.literal('sandglass') }) });
const kinds = {
	ConfigMap: named.extend({ apiVersion: z.literal('v1'), data: z.record(z.string(), z.string()) }),
	Deployment: named.extend({
		apiVersion: z.literal('apps/v1'),
		spec: z.object({
			replicas: z.number().min(2),
			selector: z.object({ matchLabels: labels }),
			template: z.object({
				metadata: z.object({ labels }),
				spec: z.object({
					terminationGracePeriodSeconds: z.number().min(11), // streams get 10 s
					securityContext: z.object({ runAsNonRoot: z.literal(true) }),
					containers: z.array(container).length(1)
				})
			})
		})
	}),
	Service: named.extend({
		apiVersion: z.literal('v1'),
		spec: z.object({ selector: labels, ports: z.array(z.unknown()) })
	}),
	PodDisruptionBudget: named.extend({
		apiVersion: z.literal('policy/v1'),
		spec: z.object({ selector: z.object({ matchLabels: labels }) })
	})
};

it('has a Kubernetes manifest whose objects name each other and whose settings the server takes', () => {
	const found = new Map<string, unknown>();
	for (const document of parseAllDocuments(read('kubernetes.yaml'))) {
		expect(document.errors).toEqual([]);
		const value: unknown = document.toJS();
		found.set(z.object({ kind: z.string() }).parse(value).kind, value);
	}
	expect([...found.keys()].sort()).toEqual(Object.keys(kinds).sort());
	const deployment = kinds.Deployment.parse(found.get('Deployment'));
	const { app } = deployment.spec.template.metadata.labels;
	expect(deployment.spec.selector.matchLabels.app).toBe(app);
	expect(kinds.Service.parse(found.get('Service')).spec.selector.app).toBe(app);
	expect(kinds.PodDisruptionBudget.parse(found.get('PodDisruptionBudget')).spec.selector.matchLabels.app).toBe(app);
	const { data } = kinds.ConfigMap.parse(found.get('ConfigMap'));
	const secret = { ...secrets, S3_ACCESS_KEY_ID: 'x', REDIS_URL: 'redis://r', ANTHROPIC_API_KEY: 'sk-test' };
	expect(loadConfiguration({ ...data, ...secret }).s3?.bucket).toBe('sandglass');
	expect(Object.keys(data).filter((name) => /KEY|TOKEN|SECRET|REDIS/.test(name))).toEqual([]);
});

/** Documents of a manifest, by `kind/name`. */
function documentsOf(name: string): Map<string, unknown> {
	return new Map(
		parseAllDocuments(read(name)).map((document) => {
			expect(document.errors).toEqual([]);
			const value: unknown = document.toJS();
			const { kind, metadata } = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) }).parse(value);
			return [`${kind}/${metadata.name}`, value];
		})
	);
}

it('has manifests for machines of a cluster, which have no network, and one server with rights in their namespace', () => {
	const machines = documentsOf('kubernetes/machines.yaml');
	const policies = networkPolicies.parse({ items: [machines.get('NetworkPolicy/machines-without-network')] }).items;
	expect(networkProblem(policies, {})).toBeUndefined();
	const inNamespace = z.object({ metadata: z.object({ namespace: z.literal('sandglass-machines') }) });
	for (const name of ['NetworkPolicy/machines-without-network', 'Role/sandglass', 'RoleBinding/sandglass'])
		inNamespace.parse(machines.get(name));
	const { metadata } = z
		.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) })
		.parse(machines.get('Namespace/sandglass-machines'));
	expect(metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted');

	const server = documentsOf('kubernetes/server.yaml');
	const { spec } = z
		.object({
			spec: z.object({
				replicas: z.literal(1),
				strategy: z.object({ type: z.literal('Recreate') }),
				template: z.object({
					spec: z.object({
						serviceAccountName: z.literal('sandglass'),
						automountServiceAccountToken: z.literal(true),
						containers: z.array(container).length(1)
					})
				})
			})
		})
		.parse(server.get('Deployment/sandglass'));
	expect(machines.has(`ServiceAccount/${spec.template.spec.serviceAccountName}`)).toBe(true);
	const { data } = kinds.ConfigMap.parse(server.get('ConfigMap/sandglass'));
	expect(loadConfiguration({ ...data, SANDGLASS_TOKEN: secrets.SANDGLASS_TOKEN })).toMatchObject({
		SANDGLASS_KUBERNETES: 'in-cluster',
		SANDGLASS_KUBERNETES_NAMESPACE: 'sandglass-machines',
		SANDGLASS_MACHINE_IMAGE: 'debian:13'
	});
	const template = z
		.object({ data: z.strictObject({ 'machine-template.yaml': z.string() }) })
		.parse(server.get('ConfigMap/machine-template')).data['machine-template.yaml'];
	expect(template).toBe(read('kubernetes/machine-template.yaml'));
	expect(readTemplate(path.join(root, 'deploy/kubernetes/machine-template.yaml')).spec).toMatchObject({
		hostUsers: false
	});
});
