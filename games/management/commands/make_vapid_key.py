"""``manage.py make_vapid_key``: create the key that signs web push messages."""

import base64
from typing import Any

from cryptography.hazmat.primitives import serialization
from django.core.management.base import BaseCommand
from py_vapid import Vapid


class Command(BaseCommand):
    """The command that prints a new key pair, with the private key as a setting."""

    help = "Create a VAPID key pair: the private key for VAPID_PRIVATE_KEY, and its public key."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print two lines for an environment file."""
        key = Vapid()
        key.generate_keys()
        number = key.private_key.private_numbers().private_value.to_bytes(32, "big")
        point = key.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.stdout.write(f"# public key: {_text(point)}")
        self.stdout.write(f"VAPID_PRIVATE_KEY={_text(number)}")


def _text(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode().rstrip("=")
