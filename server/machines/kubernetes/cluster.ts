import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isLoopback } from '../../configuration/load.ts';

/** Address of an API server, and the credentials for it. */
export interface Cluster {
	/** Without a trailing slash. */
	server: string;
	namespace: string;
	tls: {
		ca?: string | undefined;
		cert?: string | undefined;
		key?: string | undefined;
		servername?: string | undefined;
		rejectUnauthorized?: boolean | undefined;
	};
	/** Reads the bearer token, which the cluster may have renewed; `undefined` if a client certificate is used. */
	token(): string | undefined;
}

export interface ClusterOptions {
	/** Replaces the namespace that the cluster's configuration names. */
	namespace?: string | undefined;
	env?: Readonly<Record<string, string | undefined>>;
	/** Directory with a pod's service account. */
	serviceAccount?: string;
}

/** The cluster's configuration cannot be used; the message gives the reason and never contains a secret. */
export class ClusterError extends Error {
	override readonly name = 'ClusterError';
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads the configuration of a cluster.
 *
 * @param place `in-cluster`, or the path of a kubeconfig, whose current context is used
 * @throws ClusterError
 */
export function readCluster(place: string, options: ClusterOptions = {}): Cluster {
	const cluster = place === 'in-cluster' ? ownCluster(options) : clusterOfFile(place);
	return options.namespace === undefined ? cluster : { ...cluster, namespace: options.namespace };
}

function ownCluster({ env = process.env, serviceAccount = SERVICE_ACCOUNT }: ClusterOptions): Cluster {
	const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
	if (!host) throw new ClusterError('This server runs in no pod: KUBERNETES_SERVICE_HOST is not set.');
	const token = readToken(path.join(serviceAccount, 'token'));
	token();
	return {
		server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
		namespace: readText(path.join(serviceAccount, 'namespace')).trim(),
		tls: { ca: readText(path.join(serviceAccount, 'ca.crt')) },
		token
	};
}

const clusterEntry = z.object({
	server: z.string(),
	'certificate-authority': z.string().optional(),
	'certificate-authority-data': z.string().optional(),
	'insecure-skip-tls-verify': z.boolean().optional(),
	'tls-server-name': z.string().optional()
});
const userEntry = z.object({
	token: z.string().optional(),
	tokenFile: z.string().optional(),
	'client-certificate': z.string().optional(),
	'client-certificate-data': z.string().optional(),
	'client-key': z.string().optional(),
	'client-key-data': z.string().optional()
});
const contextEntry = z.object({ cluster: z.string(), user: z.string(), namespace: z.string().optional() });
const kubeconfig = z.object({
	'current-context': z.string().min(1),
	clusters: z.array(z.object({ name: z.string(), cluster: clusterEntry })),
	users: z.array(z.object({ name: z.string(), user: userEntry.nullable() })),
	contexts: z.array(z.object({ name: z.string(), context: contextEntry }))
});

function clusterOfFile(file: string): Cluster {
	const parsed = kubeconfig.safeParse(parseYaml(file));
	if (!parsed.success)
		throw new ClusterError(`${file} is no kubeconfig: ${parsed.error.issues[0]?.path.join('.')} is missing or wrong.`);
	const { clusters, users, contexts, 'current-context': current } = parsed.data;
	const context = contexts.find(({ name }) => name === current)?.context;
	const cluster = clusters.find(({ name }) => name === context?.cluster)?.cluster;
	const user = users.find(({ name }) => name === context?.user)?.user;
	if (!context || !cluster || !user)
		throw new ClusterError(`${file} lacks the cluster or the user of its current context.`);
	const text = (data: string | undefined, place: string | undefined): string | undefined => {
		if (data !== undefined) return Buffer.from(data, 'base64').toString();
		return place === undefined ? undefined : readText(path.resolve(path.dirname(file), place));
	};
	const tls: Cluster['tls'] = {
		ca: text(cluster['certificate-authority-data'], cluster['certificate-authority']),
		cert: text(user['client-certificate-data'], user['client-certificate']),
		key: text(user['client-key-data'], user['client-key']),
		servername: cluster['tls-server-name']
	};
	if (cluster['insecure-skip-tls-verify']) tls.rejectUnauthorized = false;
	return {
		server: addressOf(cluster.server, file),
		namespace: context.namespace ?? 'default',
		tls,
		token: tokenOf(user, tls, file)
	};
}

function tokenOf(user: z.output<typeof userEntry>, tls: Cluster['tls'], file: string): Cluster['token'] {
	const { token, tokenFile } = user;
	if (tokenFile !== undefined) return readToken(path.resolve(path.dirname(file), tokenFile));
	if (token === undefined && (tls.cert === undefined || tls.key === undefined))
		throw new ClusterError(
			`The user of ${file} has neither a token nor a client certificate. Programs that fetch credentials are not run: use a token of a service account.`
		);
	return () => token;
}

/** Checks the address: a token is never sent unencrypted to another computer. */
function addressOf(server: string, file: string): string {
	const url = URL.canParse(server) ? new URL(server) : undefined;
	if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname)))
		return url.href.replace(/\/+$/, '');
	throw new ClusterError(`The server of ${file} must have an https:// address.`);
}

/** Reads a token that is renewed in place, at most once a minute. */
function readToken(file: string): () => string {
	let [token, readMs] = ['', -Infinity];
	return () => {
		if (performance.now() - readMs > 60_000) [token, readMs] = [readText(file).trim(), performance.now()];
		return token;
	};
}

/** Parses a YAML file of the operator. @throws ClusterError */
export function parseYaml(file: string): unknown {
	try {
		return parse(readText(file));
	} catch (error) {
		if (error instanceof ClusterError) throw error;
		throw new ClusterError(`${file} is neither YAML nor JSON.`);
	}
}

function readText(file: string): string {
	try {
		if (statSync(file).size <= MAX_FILE_BYTES) return readFileSync(file, 'utf8');
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
		throw new ClusterError(`${file} cannot be read: ${code}.`);
	}
	throw new ClusterError(`${file} is larger than 1 MB.`);
}
