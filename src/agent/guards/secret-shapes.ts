/** Pattern of a key or token of a common service, recognized without context. */
export interface SecretShape {
	/** Display name: letters and spaces. */
	kind: string;
	/** Must have the flag `g`. The group `secret`, or else the whole match, is redacted. */
	pattern: RegExp;
}

/**
 * Formats from the services' documentation. Each begins with a distinctive prefix, so that texts without secrets are
 * scanned fast.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
	{ kind: 'Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
	{ kind: 'OpenRouter key', pattern: /\bsk-or-v1-[0-9a-f]{64}/g },
	{ kind: 'OpenAI key', pattern: /\bsk-[A-Za-z0-9_-]{32,}/g },
	{ kind: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
	{ kind: 'Google OAuth secret', pattern: /\bGOCSPX-[A-Za-z0-9_-]{28}/g },
	{ kind: 'Google OAuth token', pattern: /\bya29\.[A-Za-z0-9_-]{40,}/g },
	{ kind: 'xAI key', pattern: /\bxai-[A-Za-z0-9]{40,}/g },
	{ kind: 'Groq key', pattern: /\bgsk_[A-Za-z0-9]{40,}/g },
	{ kind: 'Perplexity key', pattern: /\bpplx-[A-Za-z0-9]{40,}/g },
	{ kind: 'Replicate token', pattern: /\br8_[A-Za-z0-9]{37}/g },
	{ kind: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{34,}/g },
	{ kind: 'Databricks token', pattern: /\bdapi[0-9a-f]{32}/g },
	{ kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g },
	{
		kind: 'GitLab token',
		pattern: /\b(?:gl(?:pat|ptt|rt|dt|ft|agent|soat|cbt|imt|oas)-|GR1348941)[A-Za-z0-9_-]{20,}/g
	},
	{ kind: 'Atlassian token', pattern: /\b(?:ATATT3|ATBB|ATCTT3)[A-Za-z0-9_=-]{24,}/g },
	{ kind: 'AWS key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
	{ kind: 'Azure key', pattern: /\b(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,}={0,2})/g },
	{ kind: 'Azure signature', pattern: /[?&]sig=(?<secret>[A-Za-z0-9%+/]{40,}={0,2})/g },
	{ kind: 'Alibaba key', pattern: /\bLTAI[A-Za-z0-9]{16,24}\b/g },
	{ kind: 'Tencent key', pattern: /\bAKID[A-Za-z0-9]{32}\b/g },
	{ kind: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[0-9a-f]{64}/g },
	{ kind: 'Heroku key', pattern: /\bHRKU-[A-Za-z0-9_-]{36,}/g },
	{ kind: 'Fly token', pattern: /\bfm[12][ar]?_[A-Za-z0-9+/=_-]{40,}/g },
	{ kind: 'Netlify token', pattern: /\bnfp_[A-Za-z0-9]{36,}/g },
	{ kind: 'Supabase token', pattern: /\bsb(?:p_[0-9a-f]{40}|_secret_[A-Za-z0-9_-]{20,})/g },
	{ kind: 'PlanetScale token', pattern: /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9._=-]{32,}/g },
	{ kind: 'Vault token', pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/g },
	{ kind: 'Terraform token', pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}/g },
	{ kind: 'Doppler token', pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}/g },
	{ kind: 'Pulumi token', pattern: /\bpul-[0-9a-f]{40}/g },
	{ kind: 'Grafana token', pattern: /\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}/g },
	{ kind: 'New Relic key', pattern: /\bNR(?:AK|JS|AA|RA|II|SP)-[A-Za-z0-9]{19,}/g },
	{ kind: 'Sentry token', pattern: /\bsntry[su]_[A-Za-z0-9+/=_-]{40,}/g },
	{ kind: 'Dynatrace token', pattern: /\bdt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}/g },
	{ kind: 'Sonar token', pattern: /\bsq[apu]_[0-9a-f]{40}/g },
	{ kind: 'Artifactory key', pattern: /\bAKCp[A-Za-z0-9]{60,}/g },
	{ kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}/g },
	{ kind: 'PyPI token', pattern: /\bpypi-AgE[A-Za-z0-9_-]{50,}/g },
	{ kind: 'RubyGems key', pattern: /\brubygems_[0-9a-f]{48}/g },
	{ kind: 'NuGet key', pattern: /\boy2[a-z0-9]{43}\b/g },
	{ kind: 'crates token', pattern: /\bcio[A-Za-z0-9]{32}\b/g },
	{ kind: 'Docker token', pattern: /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}/g },
	{ kind: 'Slack token', pattern: /\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g },
	{
		kind: 'webhook address',
		pattern:
			/https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[A-Za-z0-9/_-]{20,})/g
	},
	{ kind: 'Discord token', pattern: /\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g },
	{ kind: 'Telegram token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}/g },
	{ kind: 'Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g },
	{ kind: 'SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g },
	{ kind: 'Mailgun key', pattern: /\bkey-[0-9a-f]{32}\b/g },
	{ kind: 'Mailchimp key', pattern: /\b[0-9a-f]{32}-us\d{1,2}\b/g },
	{ kind: 'Brevo key', pattern: /\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/g },
	{ kind: 'Stripe key', pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{20,}/g },
	{ kind: 'Square token', pattern: /\b(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,}|EAAA[A-Za-z0-9_-]{56,})/g },
	{ kind: 'Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g },
	{ kind: 'Plaid token', pattern: /\baccess-(?:sandbox|development|production)-[0-9a-f-]{36}/g },
	{ kind: 'Notion token', pattern: /\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})/g },
	{ kind: 'Linear key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,}/g },
	{ kind: 'Airtable token', pattern: /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g },
	{ kind: 'Figma token', pattern: /\bfig[dou]_?[a-z]*_[A-Za-z0-9_-]{36,}/g },
	{ kind: 'Postman key', pattern: /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/g },
	{ kind: 'Mapbox token', pattern: /\bsk\.eyJ[A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{20,}/g },
	{ kind: 'Dropbox token', pattern: /\bsl\.[A-Za-z0-9_-]{100,}/g },
	{ kind: 'age key', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/g },
	{ kind: 'JSON web token', pattern: /\beyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{10,}/g }
];

/** Replaces the matches of a pattern: the group `secret` if it has one, else the whole match. */
export function replaceSecrets(text: string, pattern: RegExp, by: (secret: string) => string): string {
	return text.replace(pattern, (match: string, ...rest: unknown[]) => {
		const groups = rest.at(-1);
		const named = typeof groups === 'object' && groups !== null && 'secret' in groups ? groups.secret : undefined;
		if (typeof named !== 'string') return by(match);
		return match.replace(named, () => by(named));
	});
}
