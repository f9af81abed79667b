//! Where an Arrow file or stream keeps its lengths, offsets and counts.

use std::ops::Range;

/// The marker before the length of the metadata of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];
const MARK: &[u8] = b"ARROW1";

/// The metadata of every message and of the file, and the first bytes of every buffer, which hold the length
/// if the buffer is compressed.
pub fn places(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for start in (0..bytes.len().saturating_sub(8)).step_by(8) {
        if bytes[start..].starts_with(&CONTINUATION) {
            places.extend(places_of_message(bytes, start).into_iter().flatten());
        }
    }
    places.extend(footer(bytes));
    places
}

fn number_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(number)).ok()
}

fn places_of_message(bytes: &[u8], start: usize) -> Option<Vec<Range<usize>>> {
    let head = start + 8;
    let body = head.checked_add(number_at(bytes, start + 4)?)?;
    let mut places: Vec<_> = std::iter::once(start + 4..body).collect();
    let message = arrow_ipc::root_as_message(bytes.get(head..body)?).ok()?;
    let dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
    let batch = message.header_as_record_batch().or(dictionary);
    for buffer in batch.and_then(|batch| batch.buffers()).into_iter().flatten() {
        let start = body + usize::try_from(buffer.offset()).ok()?;
        let end = start + usize::try_from(buffer.length()).ok()?.min(8);
        if start < end && end <= bytes.len() {
            places.push(start..end);
        }
    }
    Some(places)
}

fn footer(bytes: &[u8]) -> Option<Range<usize>> {
    let end = bytes.strip_suffix(MARK)?.len().checked_sub(4)?;
    Some(end.checked_sub(number_at(bytes, end)?)?..end + 4)
}
