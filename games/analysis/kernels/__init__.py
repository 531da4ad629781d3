"""Numerical kernels compiled by Numba; import them inside the functions that need them."""
