/** Alerts of RFC 8446, section 6, by name. */
export const ALERTS = {
	close_notify: 0,
	unexpected_message: 10,
	bad_record_mac: 20,
	record_overflow: 22,
	handshake_failure: 40,
	bad_certificate: 42,
	unsupported_certificate: 43,
	certificate_revoked: 44,
	certificate_expired: 45,
	certificate_unknown: 46,
	illegal_parameter: 47,
	unknown_ca: 48,
	access_denied: 49,
	decode_error: 50,
	decrypt_error: 51,
	protocol_version: 70,
	insufficient_security: 71,
	internal_error: 80,
	inappropriate_fallback: 86,
	user_canceled: 90,
	missing_extension: 109,
	unsupported_extension: 110,
	unrecognized_name: 112,
	bad_certificate_status_response: 113,
	unknown_psk_identity: 115,
	certificate_required: 116,
	no_application_protocol: 120
} as const;

export type AlertName = keyof typeof ALERTS;

/** Name of an alert by its number; undefined for an unknown one. */
export const alertName = (number: number): AlertName | undefined =>
	(Object.keys(ALERTS) as AlertName[]).find((name) => ALERTS[name] === number);

/** Reason to refuse a message of the peer. */
export class TlsAlert extends Error {
	/**
	 * @param reason OpenSSL's name of the cause, as in `no shared cipher`
	 * @param isSent false if the peer speaks another protocol: it would not understand the alert
	 */
	constructor(
		readonly alert: AlertName,
		readonly reason: string = alert.replaceAll('_', ' '),
		readonly isSent = true
	) {
		super(reason);
	}
}
