"""Make the key that web pushes are signed with."""

import base64
from typing import Any

from cryptography.hazmat.primitives import serialization
from django.core.management.base import BaseCommand
from py_vapid import Vapid


class Command(BaseCommand):
    """Print a new pair of keys: the private one as a setting, the public one to look at."""

    help = "Make a VAPID key: the private one for VAPID_PRIVATE_KEY; the public one follows from it"

    def handle(self, *args: Any, **options: Any) -> None:
        """Print two lines that an environment file takes as they are."""
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
