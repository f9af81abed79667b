def text(value):
    """A value as tables write it; None if it is missing."""
    if value is None or isinstance(value, float) and value != value:
        return None
    value = str(value)
    return None if value in MISSING else value
