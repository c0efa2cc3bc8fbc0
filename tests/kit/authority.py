"""A certificate authority for tests, and certificates of servers that it signed."""

from __future__ import annotations

import datetime as dt
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Writes `ca.pem` into a folder, and `NAME.pem` with `NAME.key` for each server asked for."""

    def __init__(self, folder):
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Pleine Lune test authority")])
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        builder = self._builder(self._name, self._key.public_key())
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        builder = builder.add_extension(usage, critical=True)
        self._certificate = builder.sign(self._key, hashes.SHA256())
        self.file = folder / "ca.pem"
        self.file.write_bytes(self._certificate.public_bytes(serialization.Encoding.PEM))

    def server(self, name, *, hosts=("127.0.0.1", "localhost"), days=2):
        """A certificate and its key (paths) for these hosts, good for so many days from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        names = x509.SubjectAlternativeName([_general(host) for host in hosts])
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = self._builder(subject, key.public_key(), days).add_extension(names, critical=False)
        certificate = builder.add_extension(issuer, critical=False).sign(self._key, hashes.SHA256())
        certificate_file, key_file = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        plain = serialization.NoEncryption()
        key_file.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain)
        )
        return certificate_file, key_file

    def _builder(self, subject, public_key, days=2):
        now = dt.datetime.now(dt.UTC)
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self._name).public_key(public_key)
        builder = builder.serial_number(x509.random_serial_number())
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        return builder.not_valid_before(now - dt.timedelta(days=2)).not_valid_after(now + dt.timedelta(days=days))


def _general(host):
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
