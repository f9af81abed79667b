def text(value):
    """A value as tables write it, without the blanks around it; None if it is missing."""
    if value is None or isinstance(value, float) and value != value:
        return None
    value = str(value).strip(" \t\n\f\r")
    return None if value in MISSING else value
