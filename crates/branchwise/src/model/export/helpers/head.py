def predict(row):
    """The class of a row, which is a mapping from the names of columns to values."""
    return answer(row)[0]


def probabilities(row):
    """The share of each of CLASSES among the training rows that end where the row ends."""
    counts = answer(row)[1]
    return [float(count) / float(sum(counts) or 1) for count in counts]
