/// Whether there is a place, and it is beyond the threshold.
fn above<P: PartialOrd>(place: Option<P>, threshold: Option<P>) -> bool {
    place.is_some() && place > threshold
}
