//! Checks what the metadata of an Arrow message claims against the bytes of the message.
//!
//! The decoder allocates what the metadata says. So every size is checked first: buffers lie within the
//! message, a compressed buffer does not unpack to more than its format allows, and the number of rows
//! that take no bytes is limited.

use super::room::Room;
use super::{ARROW, damaged};
use crate::error::Result;
use arrow_ipc::{CompressionType, Message, MessageHeader, RecordBatch};

/// The most rows that a message may have without any bytes for them, as in a column without values.
const ROWS_WITHOUT_BYTES: u64 = 1 << 20;

/// Check the sizes in a message with this body.
pub(super) fn check(message: &Message<'_>, body: &[u8], room: Room) -> Result<()> {
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => {
            message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data())
        }
        _ => None,
    };
    batch.map_or(Ok(()), |batch| check_batch(&batch, body, room))
}

fn check_batch(batch: &RecordBatch<'_>, body: &[u8], room: Room) -> Result<()> {
    let codec = batch.compression().map(|compression| compression.codec());
    let mut total = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let bytes = within(body, buffer.offset(), buffer.length())?;
        total = total.saturating_add(unpacked(bytes, codec)?);
    }
    let rows = u64::try_from(batch.length()).ok();
    let most = total.saturating_mul(8).max(ROWS_WITHOUT_BYTES);
    if rows.is_none_or(|rows| rows > most) {
        let problem = format!("it claims {} rows in {total} bytes", batch.length());
        return Err(damaged(ARROW, &problem));
    }
    if codec.is_some() { room.check(ARROW, total) } else { Ok(()) }
}

/// A part of the body.
fn within(body: &[u8], offset: i64, length: i64) -> Result<&[u8]> {
    let range = || {
        let (start, length) = (usize::try_from(offset).ok()?, usize::try_from(length).ok()?);
        body.get(start..start.checked_add(length)?)
    };
    range().ok_or_else(|| {
        let end = body.len();
        let problem =
            format!("{length} bytes at {offset} of a message lie beyond its end at {end}");
        damaged(ARROW, &problem)
    })
}

/// How many bytes a buffer unpacks to. A compressed one begins with that number, or with −1 if it is
/// kept as it is.
fn unpacked(buffer: &[u8], codec: Option<CompressionType>) -> Result<u64> {
    let most_per_byte = match codec {
        None => return Ok(buffer.len() as u64),
        // A byte adds at most 255 to the length of a match.
        Some(CompressionType::LZ4_FRAME) => 255,
        // Four bytes are a block, which has at most 128 KiB.
        Some(_) => 1 << 15,
    };
    let Some((claim, packed)) = buffer.split_first_chunk() else {
        let problem = format!("a compressed part of {} bytes lacks its length", buffer.len());
        return if buffer.is_empty() { Ok(0) } else { Err(damaged(ARROW, &problem)) };
    };
    let (claim, packed) = (i64::from_le_bytes(*claim), packed.len() as u64);
    match u64::try_from(claim) {
        Ok(claim) if claim <= packed.saturating_mul(most_per_byte) => Ok(claim),
        Err(_) if claim == -1 => Ok(packed),
        _ => {
            let problem = format!("{packed} bytes of it cannot unpack to {claim}, as they claim");
            Err(damaged(ARROW, &problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_within_the_body() {
        let body = [1, 2, 3];
        assert_eq!(within(&body, 1, 2).unwrap(), [2, 3]);
        assert!(within(&body, 3, 0).unwrap().is_empty());
        for (offset, length) in
            [(0, 4), (1, 3), (4, 0), (-1, 1), (1, -1), (i64::MAX, i64::MAX), (1, i64::MAX)]
        {
            assert!(within(&body, offset, length).is_err(), "{offset} {length}");
        }
    }

    #[test]
    fn a_claim_is_held_against_what_the_format_can() {
        let buffer = |claim: i64| [&claim.to_le_bytes()[..], &[0; 10]].concat();
        let lz4 = Some(CompressionType::LZ4_FRAME);
        let zstd = Some(CompressionType::ZSTD);
        for (codec, claim, expected) in [
            (lz4, 2550, Some(2550)),
            (lz4, 2551, None),
            (lz4, -1, Some(10)),
            (lz4, -2, None),
            (lz4, 0, Some(0)),
            (zstd, 10 << 15, Some(10 << 15)),
            (zstd, (10 << 15) + 1, None),
            (zstd, 1 << 60, None),
            (zstd, i64::MAX, None),
            (zstd, i64::MIN, None),
            (None, 1 << 60, Some(18)),
        ] {
            assert_eq!(unpacked(&buffer(claim), codec).ok(), expected, "{codec:?} {claim}");
        }
        assert_eq!(unpacked(&[], lz4).ok(), Some(0));
        assert!(unpacked(&[0; 7], lz4).is_err());
    }
}
