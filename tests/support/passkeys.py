"""A passkey in software, and what a browser sends when it is made and used."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

HOST = "testserver"
"""The host of Django's test client."""

FLAG = AuthenticatorData.FLAG


class Passkey:
    """A passkey of one account; options are what the site asks the browser for."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = os.urandom(16)
        self._owner = b""

    def make(self, options: dict[str, Any]) -> str:
        """Return the credential that registers it."""
        asked = options["publicKey"]
        self._owner = websafe_decode(asked["user"]["id"])
        public = ES256.from_cryptography_key(self._key.public_key())  # type: ignore[no-untyped-call]
        own = AttestedCredentialData.create(Aaguid(bytes(16)), self._id, public)
        data = self._data(FLAG.UP | FLAG.UV | FLAG.AT, own)
        attestation = AttestationObject.create("none", data, {})
        return self._credential(
            clientDataJSON=self._client("webauthn.create", asked), attestationObject=attestation
        )

    def answer(self, options: dict[str, Any]) -> str:
        """Return the credential that answers a challenge."""
        client = self._client("webauthn.get", options["publicKey"])
        data = self._data(FLAG.UP | FLAG.UV)
        signature = self._key.sign(data + client.hash, ec.ECDSA(hashes.SHA256()))
        return self._credential(
            clientDataJSON=client,
            authenticatorData=data,
            signature=signature,
            userHandle=self._owner,
        )

    def _client(self, kind: str, asked: dict[str, Any]) -> CollectedClientData:
        challenge = websafe_decode(asked["challenge"])
        return CollectedClientData.create(kind, challenge, f"http://{HOST}")

    def _data(
        self, flags: AuthenticatorData.FLAG, own: AttestedCredentialData | bytes = b""
    ) -> AuthenticatorData:
        site = hashlib.sha256(HOST.encode()).digest()
        data: AuthenticatorData = AuthenticatorData.create(site, flags, 1, own)
        return data

    def _credential(self, **response: bytes) -> str:
        ident = websafe_encode(self._id)
        return json.dumps(
            {
                "id": ident,
                "rawId": ident,
                "type": "public-key",
                "response": {name: websafe_encode(value) for name, value in response.items()},
                "clientExtensionResults": {"credProps": {"rk": True}},
            }
        )
