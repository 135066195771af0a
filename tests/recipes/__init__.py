"""Recipes as users write them, on small programs in many languages."""
