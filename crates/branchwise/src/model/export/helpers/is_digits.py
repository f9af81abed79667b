def is_digits(text):
    """Whether a text has digits, and nothing else."""
    return text.isascii() and text.isdigit()
