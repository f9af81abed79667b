//! Files that claim sizes they do not have end in an error, and those that unpack to much are read.
//!
//! What a file claims is allocated by its reader, and an allocation that fails ends the program: a test
//! that fails here may take all others with it.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Int32Array, Int64Array, NullArray, RecordBatch, StringArray,
    StringViewArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use branchwise::Table;
use branchwise::data::{ReadOptions, Source, read_table, read_tables};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::sync::Arc;

fn batch(n_rows: i64) -> RecordBatch {
    let mut words = StringDictionaryBuilder::<Int32Type>::new();
    (0..n_rows).for_each(|row| words.append_option((row % 5 > 0).then(|| format!("w{}", row % 5))));
    let text = |row: i64| (row % 11 > 0).then(|| format!("text {} of some length", row * row % 97));
    let columns: [(&str, ArrayRef); 6] = [
        ("text", Arc::new(StringArray::from_iter((0..n_rows).map(text)))),
        ("view", Arc::new(StringViewArray::from_iter((0..n_rows).map(text)))),
        ("word", Arc::new(words.finish())),
        (
            "whole",
            Arc::new(Int64Array::from_iter((0..n_rows).map(|n| (n % 7 > 0).then_some(n % 50)))),
        ),
        ("nothing", Arc::new(NullArray::new(n_rows as usize))),
        ("class", Arc::new(BooleanArray::from_iter((0..n_rows).map(|row| Some(row % 3 == 0))))),
    ];
    let columns = columns.map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

const COMPRESSIONS: [Option<CompressionType>; 3] =
    [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];

fn arrow_file(batch: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options);
    let mut writer = writer.unwrap();
    writer.write(batch).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn arrow_stream(batch: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options);
    let mut writer = writer.unwrap();
    writer.write(batch).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn parquet(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn read(bytes: &[u8]) -> Result<Table, String> {
    let read = read_table(bytes, &ReadOptions::default());
    read.map(|(table, _)| table).map_err(|error| error.to_string())
}

fn rows(table: &Table) -> Vec<Vec<Option<&str>>> {
    let row = |row| table.columns().iter().map(|column| column.value(row)).collect();
    (0..table.n_rows()).map(row).collect()
}

/// Numbers that a length, an offset or a count may be after a file was damaged.
const WRONG: [i64; 4] = [1 << 60 | 488, i64::MAX, -1, 1 << 40];

#[test]
fn any_number_of_an_arrow_file_may_be_wrong() {
    let mut n_refused = 0;
    for compression in COMPRESSIONS {
        // Enough rows that buffers are kept compressed.
        let batch = batch(60);
        for bytes in [arrow_file(&batch, compression), arrow_stream(&batch, compression)] {
            assert_eq!(read(&bytes).unwrap().n_rows(), 120);
            for start in (0..bytes.len() - 8).step_by(8) {
                for wrong in WRONG {
                    let mut damaged = bytes.clone();
                    damaged[start..start + 8].copy_from_slice(&wrong.to_le_bytes());
                    n_refused += usize::from(read(&damaged).is_err());
                }
            }
        }
    }
    assert!(n_refused > 5_000, "{n_refused}");
}

#[test]
fn what_a_compressed_buffer_claims_is_checked_before_it_is_allocated() {
    for compression in &COMPRESSIONS[1..] {
        for bytes in [arrow_file(&batch(60), *compression), arrow_stream(&batch(60), *compression)]
        {
            // The buffer of 60 integers.
            let claim = (60 * 8i64).to_le_bytes();
            let start = bytes.windows(8).position(|window| window == claim).unwrap();
            let mut damaged = bytes.clone();
            damaged[start + 7] = 0x10;
            let error = read(&damaged).unwrap_err();
            assert!(error.contains("cannot unpack to 1152921504606847456"), "{error}");
        }
    }
}

#[test]
fn a_stream_that_claims_more_than_comes_ends_too_early() {
    let bytes = arrow_stream(&batch(60), None);
    for end in 1..bytes.len() {
        // At the end of a message a stream may end.
        if let Ok(table) = read(&bytes[..end]) {
            assert!([60, 120].contains(&table.n_rows()), "{end}");
        }
    }
    let mut endless = bytes[..8].to_vec();
    endless[4..].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = read(&endless).unwrap_err();
    assert!(error.contains("ends in the middle of a message"), "{error}");
}

#[test]
fn rows_without_bytes_are_not_without_number() {
    let of = |n_rows| {
        let column: ArrayRef = Arc::new(NullArray::new(n_rows));
        RecordBatch::try_from_iter([("a", column.clone()), ("b", column)]).unwrap()
    };
    assert_eq!(read(&arrow_file(&of(1000), None)).unwrap().n_rows(), 2000);
    for n_rows in [1 << 30, 1 << 50] {
        let error = read(&arrow_file(&of(n_rows), None)).unwrap_err();
        assert!(error.contains(&format!("claims {n_rows} rows in 0 bytes")), "{error}");
    }
}

#[test]
fn a_column_without_any_value_may_have_an_empty_dictionary() {
    let mut words = StringDictionaryBuilder::<Int32Type>::new();
    words.append_nulls(3);
    let class: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 1]));
    let words: ArrayRef = Arc::new(words.finish());
    let batch = RecordBatch::try_from_iter([("word", words), ("class", class)]).unwrap();
    let files = [
        arrow_stream(&batch, None),
        arrow_file(&batch, None),
        parquet(&batch, WriterProperties::default()),
    ];
    for bytes in files {
        let table = read(&bytes).unwrap();
        assert_eq!(rows(&table)[1], [None, Some("2")]);
    }
}

fn compressions() -> [Compression; 7] {
    [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
        Compression::BROTLI(Default::default()),
    ]
}

#[test]
fn every_kind_of_page_is_read() {
    use Encoding::{DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, PLAIN};
    let batch = batch(5000);
    let once = arrow_stream(&batch, None);
    let expected = read(&once).unwrap();
    let expected = &rows(&expected)[..5000];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for compression in compressions() {
            for text in [None, Some(PLAIN), Some(DELTA_LENGTH_BYTE_ARRAY), Some(DELTA_BYTE_ARRAY)] {
                let mut properties = WriterProperties::builder()
                    .set_writer_version(version)
                    .set_compression(compression)
                    .set_dictionary_enabled(text.is_none())
                    .set_max_row_group_row_count(Some(3000))
                    .set_data_page_row_count_limit(700);
                if let Some(text) = text {
                    properties = properties
                        .set_column_encoding("text".into(), text)
                        .set_column_encoding("whole".into(), DELTA_BINARY_PACKED);
                }
                let bytes = parquet(&batch, properties.build());
                let table = read(&bytes).unwrap();
                assert_eq!(rows(&table), expected, "{version:?} {compression:?} {text:?}");
                std::fs::write(&path, &bytes).unwrap();
                let source = Source::Path(path.clone());
                let (table, _) = read_tables(vec![source], &ReadOptions::default()).unwrap();
                assert_eq!(rows(&table), expected, "{version:?} {compression:?} {text:?}");
            }
        }
    }
}

#[test]
fn what_unpacks_to_much_is_no_damage() {
    let text = "a".repeat(1 << 20);
    let column: ArrayRef = Arc::new(StringArray::from(vec![text.as_str(); 4]));
    let class: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3, 4]));
    let batch = RecordBatch::try_from_iter([("text", column), ("class", class)]).unwrap();
    for compression in COMPRESSIONS {
        assert_eq!(read(&arrow_file(&batch, compression)).unwrap().n_rows(), 8);
    }
    for compression in compressions() {
        let properties = WriterProperties::builder().set_compression(compression);
        let plain = properties.set_dictionary_enabled(false).build();
        let bytes = parquet(&batch, plain);
        assert_eq!(read(&bytes).unwrap().n_rows(), 4, "{compression:?}");
    }
}
