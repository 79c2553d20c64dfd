"""The version of the package; it follows Semantic Versioning."""

__all__ = ["__version__"]

__version__ = "0.2.0"
