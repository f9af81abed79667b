def moment(text):
    """The moment of a date or time as ISO 8601 writes it, in nanoseconds; None if it is none."""
    parts = (text or "")[:10].split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not is_digits("".join(parts)):
        return None
    year, month, day = map(int, parts)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if not (1 <= month <= 12 and 1 <= day <= lengths[month - 1]):
        return None
    past = year - 1
    days = 365 * past + past // 4 - past // 100 + past // 400 + sum(lengths[: month - 1]) + day
    if len(text) == 10:
        return days * 86_400 * 10**9
    clock = text[11:]
    zone = max(clock.rfind("+"), clock.rfind("-"))
    ahead = 0
    if clock.endswith(("Z", "z")):
        clock = clock[:-1]
    elif zone >= 0:
        hours_minutes = clock[zone + 1 :].replace(":", "", 1)
        if len(hours_minutes) not in (2, 4) or not is_digits(hours_minutes):
            return None
        ahead = int(hours_minutes[:2]) * 60 + int(hours_minutes[2:] or "0")
        ahead = -ahead if clock[zone] == "-" else ahead
        clock = clock[:zone]
    parts = clock.split(":")
    if text[10] not in "Tt " or len(parts) not in (2, 3):
        return None
    second, _, fraction = parts[2].partition(".") if len(parts) == 3 else ("00", "", "")
    fields = [parts[0], parts[1], second, fraction.ljust(9, "0")]
    if [len(field) for field in fields] != [2, 2, 2, 9] or not is_digits("".join(fields)):
        return None
    hour, minute, second, fraction = map(int, fields)
    if hour > 23 or minute > 59 or second > 60:
        return None
    minutes = (days * 24 + hour) * 60 + minute - ahead
    return (minutes * 60 + second) * 10**9 + fraction
