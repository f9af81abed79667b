//! Parquet files, read batch by batch and without the columns that are skipped.

mod delta;
mod pages;
mod thrift;

use super::Format;
use super::arrow::room::Room;
use super::arrow::{begin, damaged, guarded, kept_columns, read_batches};
use super::collect::Collector;
use crate::error::{Error, Result};
use arrow_schema::{DataType, Field, Schema};
use pages::{Checked, Refusal};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;
use std::sync::Arc;

/// The number of rows that are read at a time.
const BATCH: usize = 1 << 14;

const PARQUET: &str = "Parquet";

/// Read a Parquet file.
pub(super) fn read(file: impl ChunkReader + 'static, collector: &mut Collector) -> Result<Format> {
    let refusal = Refusal::default();
    let batches = guarded(PARQUET, || open(file, &refusal, collector))?;
    let batches = batches.map(|batch| {
        batch.map_err(|error| refusal.take().unwrap_or_else(|| damaged(PARQUET, &error)))
    });
    read_batches(PARQUET, batches, collector)?;
    Ok(Format::Parquet)
}

/// Begin with the columns of a file.
fn open(
    file: impl ChunkReader + 'static,
    refusal: &Refusal,
    collector: &mut Collector,
) -> Result<ParquetRecordBatchReader> {
    let room = Room::within(collector.memory_limit());
    let metadata = Arc::new(metadata_of(&file, room)?);
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(false);
    let plain = ArrowReaderMetadata::try_new(metadata.clone(), options.clone()).map_err(broken)?;
    begin(plain.schema(), collector)?;
    let kept = kept_columns(plain.schema(), collector)?;
    let options = options.with_schema(Arc::new(with_dictionaries(plain.schema())));
    let hinted = ArrowReaderMetadata::try_new(metadata.clone(), options).unwrap_or(plain);
    let projection = ProjectionMask::roots(hinted.parquet_schema(), kept);
    let fields = Some(hinted.schema().fields());
    let levels = parquet_to_arrow_field_levels(hinted.parquet_schema(), projection, fields);
    let refusal = refusal.clone();
    let groups = Checked { file: Arc::new(file), metadata, room, refusal };
    let levels = levels.map_err(broken)?;
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, BATCH, None).map_err(broken)
}

fn broken(error: ParquetError) -> Error {
    damaged(PARQUET, &error)
}

/// The metadata at the end of a file: it ends with their length and a mark.
fn metadata_of(file: &impl ChunkReader, room: Room) -> Result<ParquetMetaData> {
    const TAIL: u64 = 8;
    let short = || damaged(PARQUET, &"it ends before its metadata");
    let tail_at = file.len().checked_sub(TAIL).ok_or_else(short)?;
    let tail = file.get_bytes(tail_at, TAIL as usize).map_err(broken)?;
    let length = match *tail {
        [a, b, c, d, b'P', b'A', b'R', b'1'] => u32::from_le_bytes([a, b, c, d]),
        [.., b'P', b'A', b'R', b'E'] => return Err(damaged(PARQUET, &"it is encrypted")),
        _ => return Err(damaged(PARQUET, &"it does not end like Parquet; was it cut off?")),
    };
    let start = tail_at.checked_sub(length.into()).ok_or_else(short)?;
    room.check(PARQUET, length.into())?;
    let bytes = file.get_bytes(start, length as usize).map_err(broken)?;
    thrift::check_schema(&bytes).map_err(|error| damaged(PARQUET, &error))?;
    ParquetMetaDataReader::decode_metadata(&bytes).map_err(broken)
}

/// The same schema with texts as dictionaries, which is how Parquet keeps them: a batch then has
/// each text once.
fn with_dictionaries(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match field.data_type() {
        text @ (DataType::Utf8 | DataType::LargeUtf8) => {
            let keys = Box::new(DataType::Int32);
            let dictionary = DataType::Dictionary(keys, Box::new(text.clone()));
            Arc::new(field.as_ref().clone().with_data_type(dictionary))
        }
        _ => field.clone(),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}
