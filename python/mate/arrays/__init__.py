"""All games at once, as numpy arrays (stand-in)."""
