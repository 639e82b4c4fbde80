import type { NodeError } from '../../runtime/errors.ts';
import { ALERTS, type AlertName, TlsAlert } from './protocol/alerts.ts';
import type { ReceivedAlert } from './protocol/session.ts';

/** Numbers of OpenSSL's reasons. */
const REASONS: Readonly<Record<string, number>> = {
	'http request': 0x9c,
	'wrong version number': 0x10b,
	'unsupported protocol': 0x102,
	'no shared cipher': 0xc1,
	'no cipher match': 0xb9,
	'no suitable signature algorithm': 0x76,
	'peer did not return a certificate': 0xc7,
	'decryption failed or bad record mac': 0x119,
	'digest check failed': 0x95,
	'bad signature': 0x7b,
	'bad extension': 0x6e
};

/** Numbers of alerts are added to this one. */
const ALERT_BASE = 1000;
/** Alerts that already existed in SSL 3.0. */
const OLD_ALERTS: readonly AlertName[] = [
	'unexpected_message',
	'bad_record_mac',
	'handshake_failure',
	'bad_certificate',
	'unsupported_certificate',
	'certificate_revoked',
	'certificate_expired',
	'certificate_unknown',
	'illegal_parameter'
];

/** OpenSSL's name for a received alert. */
function alertReason(alert: AlertName): string {
	const words = alert.replaceAll('_', ' ');
	if (alert === 'certificate_required' || alert === 'missing_extension') return `tlsv13 alert ${words}`;
	if (alert === 'unrecognized_name' || alert === 'unsupported_extension') return `tlsv1 ${words}`;
	return OLD_ALERTS.includes(alert) ? `sslv3 alert ${words}` : `tlsv1 alert ${words}`;
}

/** Fatal error of a connection, with OpenSSL's fields. */
export function sslError(error: TlsAlert | ReceivedAlert): NodeError & { library: string; reason: string } {
	const isOwn = error instanceof TlsAlert;
	const reason = isOwn ? error.reason : alertReason(error.alert);
	const number = isOwn ? (REASONS[reason] ?? 0) : ALERT_BASE + ALERTS[error.alert];
	const digits = number.toString(16).toUpperCase().padStart(6, '0');
	const made = new Error(`error:0A${digits}:SSL routines::${reason}`);
	const code = `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
	return Object.assign(made, { library: 'SSL routines', reason, code });
}

const EPROTO = -71;

/** The same for a connection with pending writes. */
export function writeError(error: TlsAlert | ReceivedAlert): NodeError {
	const { message } = sslError(error);
	const made = new Error(`write EPROTO ${message}`);
	return Object.assign(made, { errno: EPROTO, code: 'EPROTO', syscall: 'write' });
}
