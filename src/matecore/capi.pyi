API: object
SIZES: dict[str, int]
