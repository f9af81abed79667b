def at_most(place, threshold):
    """Whether there is a place, and it is not beyond the threshold."""
    return place is not None and place <= threshold
