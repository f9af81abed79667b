def number(text):
    """Where a text stands among all numbers, exactly; None if it is no number."""
    if text is None:
        return None
    negative = text.startswith("-")
    size = text[1:] if text.startswith(("-", "+")) else text
    mantissa, marked, exponent = size.replace("E", "e").partition("e")
    power = exponent[1:] if exponent.startswith(("-", "+")) else exponent
    whole, _, part = mantissa.partition(".")
    digits = whole + part
    if not is_digits(digits) or marked and not is_digits(power):
        return None
    power = power.lstrip("0") or "0"
    power = int(power) if len(power) < 11 else 2**32
    power = -power if exponent.startswith("-") else power
    if not -(2**31) <= power < 2**31:
        return None
    kept = digits.lstrip("0")
    magnitude = len(whole) + power - (len(digits) - len(kept))
    kept = kept.rstrip("0")
    if not kept:
        return 0, 0, ""
    if negative:
        # Larger digits come first, and ":" comes after all of them.
        return -1, -magnitude, "".join(str(9 - int(digit)) for digit in kept) + ":"
    return 1, magnitude, kept
