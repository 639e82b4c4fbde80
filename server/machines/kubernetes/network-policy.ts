import type { NetworkPolicy } from './answers.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Returns why pods with these labels would have network access; `undefined` if the policies deny it. Policies add up:
 * one that allows something overrides all that deny it.
 */
export function networkProblem(policies: readonly NetworkPolicy[], labels: Labels): string | undefined {
	const selecting = policies.filter(({ spec }) => selects(spec.podSelector, labels));
	for (const type of ['Egress', 'Ingress'] as const) {
		const allowing = selecting.find(({ spec }) => spec[type === 'Egress' ? 'egress' : 'ingress'].length > 0);
		if (allowing) return `the network policy ${allowing.metadata.name} allows machines ${type.toLowerCase()}`;
		if (!selecting.some(({ spec }) => spec.policyTypes.includes(type)))
			return `no network policy denies machines ${type.toLowerCase()}`;
	}
	return undefined;
}

function selects({ matchLabels, matchExpressions }: NetworkPolicy['spec']['podSelector'], labels: Labels): boolean {
	return (
		Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
		matchExpressions.every(({ key, operator, values }) => {
			const value = labels[key];
			if (operator === 'Exists') return value !== undefined;
			if (operator === 'DoesNotExist') return value === undefined;
			const isIn = value !== undefined && values.includes(value);
			return operator === 'In' ? isIn : !isIn;
		})
	);
}
