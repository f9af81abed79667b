//! Arrow's files and streams, message by message.
//!
//! Their framing is read here, and each message's [`claims`] are checked, before arrow-ipc decodes it:
//! it allocates what the metadata says.

use super::super::Format;
use super::super::collect::Collector;
use super::room::Room;
use super::{ARROW, begin, claims, damaged, guarded, kept_columns, read_batches};
use crate::error::{Error, FileError, Result};
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{Block, Footer, Message, MessageHeader, MetadataVersion, root_as_message};
use arrow_schema::Schema;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// What comes before the length of a message's metadata.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// A message as it stands in a file: the mark, the length of the metadata, the metadata, and the body.
struct Framed {
    bytes: Buffer,
    /// How many bytes come before the body.
    head: usize,
}

/// Read an Arrow file.
pub(in super::super) fn read_file(
    mut file: impl Read + Seek,
    collector: &mut Collector,
) -> Result<Format> {
    let room = Room::within(collector.memory_limit());
    let Contents { schema, version, blocks } = guarded(ARROW, || contents(&mut file, room))?;
    let mut blocks = blocks.into_iter();
    let next = || blocks.next().map(|block| block_at(&mut file, &block, room)).transpose();
    read_messages((schema, version), next, room, collector)
}

/// Read an Arrow stream.
pub(in super::super) fn read_stream(
    mut stream: impl Read,
    collector: &mut Collector,
) -> Result<Format> {
    let room = Room::within(collector.memory_limit());
    let first = next_message(&mut stream, room)?;
    let schema = guarded(ARROW, || {
        let first = first.ok_or_else(|| damaged(ARROW, &"it ends before its schema"))?;
        let message = message_of(&first)?;
        schema_of(message.header_as_schema(), first.head)
    })?;
    // Any version would do here: the messages of a stream state their own.
    let next = || next_message(&mut stream, room);
    read_messages((schema, MetadataVersion::V1), next, room, collector)
}

/// Decode one message after the other.
fn read_messages(
    (schema, version): (Schema, MetadataVersion),
    mut next: impl FnMut() -> Result<Option<Framed>>,
    room: Room,
    collector: &mut Collector,
) -> Result<Format> {
    begin(&schema, collector)?;
    let kept = kept_columns(&schema, collector)?;
    let mut decoder = FileDecoder::new(Arc::new(schema), version).with_projection(kept);
    let batches = std::iter::from_fn(|| {
        loop {
            let decoded = next().and_then(|framed| {
                framed.map(|framed| decode(&mut decoder, &framed, room)).transpose()
            });
            match decoded {
                Ok(None) => return None,
                Ok(Some(None)) => {}
                Ok(Some(Some(batch))) => return Some(Ok(batch)),
                Err(error) => return Some(Err(error)),
            }
        }
    });
    read_batches(ARROW, batches, collector)?;
    Ok(Format::Arrow)
}

/// The batch of a message, if it is one. A dictionary is kept for the batches that follow it.
fn decode(decoder: &mut FileDecoder, framed: &Framed, room: Room) -> Result<Option<RecordBatch>> {
    let broken = |error| damaged(ARROW, &error);
    let message = message_of(framed)?;
    let body = &framed.bytes[framed.head..];
    claims::check(&message, body, room)?;
    let head = i32::try_from(framed.head);
    let head = head.map_err(|_| damaged(ARROW, &"a message's metadata is too long"))?;
    let block = Block::new(0, head, body.len() as i64);
    if message.header_type() == MessageHeader::DictionaryBatch {
        decoder.read_dictionary(&block, &framed.bytes).map_err(broken)?;
        return Ok(None);
    }
    decoder.read_record_batch(&block, &framed.bytes).map_err(broken)
}

/// The metadata of a message.
fn message_of(framed: &Framed) -> Result<Message<'_>> {
    let bytes = &framed.bytes[..framed.head];
    let prefix = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
    let metadata = bytes.get(prefix..).unwrap_or_default();
    root_as_message(metadata).map_err(|error| damaged(ARROW, &error))
}

/// The schema in metadata of this length in bytes.
fn schema_of(schema: Option<arrow_ipc::Schema<'_>>, length: usize) -> Result<Schema> {
    let schema = schema.ok_or_else(|| damaged(ARROW, &"it does not begin with a schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        let problem = "its numbers are in the byte order of another kind of machine";
        return Err(damaged(ARROW, &problem));
    }
    // Metadata may refer to the same field again and again; each becomes a field of its own.
    let most = length / LEAST_FIELD;
    let fields = schema.fields().into_iter().flatten();
    let n_fields = fields.fold(0, |n, field| n_fields(&field, n, most));
    if n_fields > most {
        return Err(damaged(ARROW, &"its schema has more fields than bytes for them"));
    }
    try_fb_to_schema(schema).map_err(|error| damaged(ARROW, &error))
}

/// The fewest bytes that a field takes in metadata.
const LEAST_FIELD: usize = 8;

/// How many fields there are with this one and those in it, after `n`; counting ends beyond `most`.
fn n_fields(field: &arrow_ipc::Field<'_>, n: usize, most: usize) -> usize {
    if n > most {
        return n;
    }
    let children = field.children().into_iter().flatten();
    children.fold(n + 1, |n, child| n_fields(&child, n, most))
}

/// What the end of a file says about the rest.
struct Contents {
    schema: Schema,
    version: MetadataVersion,
    /// Where the dictionaries are, and then the batches.
    blocks: Vec<Block>,
}

fn contents(file: &mut (impl Read + Seek), room: Room) -> Result<Contents> {
    let outside = || damaged(ARROW, &"some of it lies beyond its end");
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = [0; 10];
    let end_at = length.checked_sub(end.len() as u64).ok_or_else(outside)?;
    file.seek(SeekFrom::Start(end_at))?;
    file.read_exact(&mut end)?;
    let footer = arrow_ipc::reader::read_footer_length(end);
    let footer = footer.map_err(|error| damaged(ARROW, &error))? as u64;
    file.seek(SeekFrom::Start(end_at.checked_sub(footer).ok_or_else(outside)?))?;
    let bytes = more(Vec::new(), file, footer, room)?;
    let footer = arrow_ipc::root_as_footer(&bytes).map_err(|error| damaged(ARROW, &error))?;
    let schema = schema_of(footer.schema(), bytes.len())?;
    Ok(Contents { schema, version: footer.version(), blocks: blocks(&footer, length)? })
}

/// The blocks of a file: they lie within it, and together are not longer than it.
fn blocks(footer: &Footer<'_>, length: u64) -> Result<Vec<Block>> {
    let blocks = footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten();
    let mut total = 0;
    let mut is_inside = |block: &Block| {
        let offset = u64::try_from(block.offset()).ok()?;
        let size = u64::try_from(block.metaDataLength()).ok()?;
        let size = size.checked_add(block.bodyLength().try_into().ok()?)?;
        total = size.checked_add(total)?;
        (offset.checked_add(size)? <= length && total <= length).then_some(())
    };
    let mut kept = Vec::new();
    for block in blocks {
        is_inside(block).ok_or_else(|| damaged(ARROW, &"some of it lies beyond its end"))?;
        kept.push(*block);
    }
    Ok(kept)
}

fn block_at(file: &mut (impl Read + Seek), block: &Block, room: Room) -> Result<Framed> {
    let (head, body) = (block.metaDataLength() as usize, block.bodyLength() as u64);
    file.seek(SeekFrom::Start(block.offset() as u64))?;
    let bytes = more(Vec::new(), file, head as u64 + body, room)?;
    Ok(Framed { bytes: bytes.into(), head })
}

/// The next message of a stream. The stream ends with a length of 0, or where its bytes end.
fn next_message(stream: &mut impl Read, room: Room) -> Result<Option<Framed>> {
    let Some(mut length) = next_length(stream)? else { return Ok(None) };
    if length == CONTINUATION {
        let Some(behind) = next_length(stream)? else { return Err(ends_early()) };
        length = behind;
    }
    let n_metadata = u32::from_le_bytes(length);
    if n_metadata == 0 {
        return Ok(None);
    }
    let bytes = more([CONTINUATION, length].concat(), stream, n_metadata.into(), room)?;
    let framed = Framed { head: bytes.len(), bytes: bytes.into() };
    let body = guarded(ARROW, || Ok(message_of(&framed)?.bodyLength()))?;
    let problem = || damaged(ARROW, &format!("a message claims a body of {body} bytes"));
    let n_body = u64::try_from(body).map_err(|_| problem())?;
    let bytes = more(framed.bytes.to_vec(), stream, n_body, room)?;
    Ok(Some(Framed { bytes: bytes.into(), ..framed }))
}

/// Four bytes, unless the stream is at its end.
fn next_length(stream: &mut impl Read) -> Result<Option<[u8; 4]>> {
    let mut start = Vec::new();
    stream.by_ref().take(4).read_to_end(&mut start)?;
    match start.try_into() {
        Ok(length) => Ok(Some(length)),
        Err(start) if start.is_empty() => Ok(None),
        Err(_) => Err(ends_early()),
    }
}

fn ends_early() -> Error {
    damaged(ARROW, &"it ends in the middle of a message")
}

/// The next `n` bytes. Memory is taken step by step as they arrive, so that a false length does no harm.
fn more(mut bytes: Vec<u8>, reader: &mut impl Read, n: u64, room: Room) -> Result<Vec<u8>> {
    const FIRST: u64 = 1 << 20;
    let mut missing = n;
    while missing > 0 {
        let have = bytes.len() as u64;
        let step = missing.min(have.max(FIRST));
        room.check(ARROW, have + step)?;
        bytes.try_reserve_exact(step as usize).map_err(|_| {
            let bytes = have + step;
            FileError::NoRoom { format: ARROW, bytes }
        })?;
        if reader.by_ref().take(step).read_to_end(&mut bytes)? as u64 != step {
            return Err(ends_early());
        }
        missing -= step;
    }
    Ok(bytes)
}
