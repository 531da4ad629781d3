"""Static files under names that change with their content, so that browsers keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Hashed, compressed files; the imports between ES modules are rewritten to match."""

    support_js_module_import_aggregation = True
