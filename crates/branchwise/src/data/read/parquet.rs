//! Parquet files, read batch by batch and without the columns that are skipped.

use super::Format;
use super::arrow::{begin, damaged, guarded, read_batches};
use super::collect::Collector;
use crate::error::Result;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;
use std::sync::Arc;

/// Rows are read so many at a time.
const BATCH: usize = 1 << 14;

/// Read a Parquet file.
pub(super) fn read(file: impl ChunkReader + 'static, collector: &mut Collector) -> Result<Format> {
    let batches = guarded(PARQUET, || open(file, collector))?;
    read_batches(PARQUET, batches, collector)?;
    Ok(Format::Parquet)
}

const PARQUET: &str = "Parquet";

/// Begin with the columns of a file.
fn open(
    file: impl ChunkReader + 'static,
    collector: &mut Collector,
) -> Result<ParquetRecordBatchReader> {
    let damaged = |error: ParquetError| damaged(PARQUET, &error);
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(false);
    let metadata = ArrowReaderMetadata::load(&file, options.clone()).map_err(damaged)?;
    begin(metadata.schema(), collector)?;
    let options = options.with_schema(Arc::new(with_dictionaries(metadata.schema())));
    let hinted = ArrowReaderMetadata::try_new(metadata.metadata().clone(), options);
    let builder =
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, hinted.unwrap_or(metadata));
    let slots = collector.row().2;
    let kept = (0..slots.len()).filter(|&position| slots[position].is_some());
    let projection = ProjectionMask::roots(builder.parquet_schema(), kept);
    builder.with_batch_size(BATCH).with_projection(projection).build().map_err(damaged)
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
