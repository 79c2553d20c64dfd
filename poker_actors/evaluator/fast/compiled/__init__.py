"""What numba compiles; imports numba. Each module is imported by the function that needs it."""

__all__ = ()
