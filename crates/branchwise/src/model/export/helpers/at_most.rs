/// Whether there is a place, and it is not beyond the threshold.
fn at_most<P: PartialOrd>(place: Option<P>, threshold: Option<P>) -> bool {
    place.is_some() && place <= threshold
}
