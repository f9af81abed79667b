def above(place, threshold):
    """Whether there is a place, and it is beyond the threshold."""
    return place is not None and place > threshold
