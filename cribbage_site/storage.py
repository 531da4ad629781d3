"""Static files under names that contain a hash of their content, so that browsers cache them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Storage of hashed, compressed files; imports between ES modules are rewritten to match."""

    support_js_module_import_aggregation = True
