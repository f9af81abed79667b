//! A table is the same table in every format.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator,
    StringArray, TimestampSecondArray,
};
use branchwise::Table;
use branchwise::data::{
    Format, Header, Kind, ReadOptions, Source, read_batches, read_parts, read_table, read_tables,
};
use proptest::prelude::*;
use std::io::Write;
use std::sync::Arc;

/// A row: text, a text with few values, a whole number, a real number, a truth.
type Row = (Option<String>, Option<usize>, Option<i64>, Option<f64>, Option<bool>);

const SIZES: [&str; 3] = ["small", "medium, or so", "la\"r\"ge\nand on"];

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let text = prop::option::weighted(0.9, "[a-zé ,;\"]{1,9}x");
    let real = (-4000i64..4000).prop_map(|number| number as f64 / 8.0);
    let row = (
        text,
        prop::option::weighted(0.9, 0..3usize),
        prop::option::weighted(0.9, -99..99i64),
        prop::option::weighted(0.9, real),
        prop::option::weighted(0.9, any::<bool>()),
    );
    prop::collection::vec(row, 1..60)
}

const NAMES: [&str; 5] = ["text", "size", "whole", "real", "truth"];

fn as_csv(rows: &[Row]) -> Vec<u8> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut csv = NAMES.join(",") + "\n";
    for (text, size, whole, real, truth) in rows {
        let fields = [
            text.as_ref().map(|text| quoted(text)),
            size.map(|size| quoted(SIZES[size])),
            whole.map(|number| number.to_string()),
            real.map(|number| format!("{number:?}")),
            truth.map(|truth| truth.to_string()),
        ];
        csv += &(fields.map(Option::unwrap_or_default).join(",") + "\n");
    }
    csv.into_bytes()
}

fn as_gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn as_batch(rows: &[Row]) -> RecordBatch {
    let mut sizes = StringDictionaryBuilder::<Int32Type>::new();
    // An entry that no row has is no value of the column.
    sizes.append_value("unheard of");
    rows.iter().for_each(|row| sizes.append_option(row.1.map(|size| SIZES[size])));
    let sizes = sizes.finish();
    let columns: [ArrayRef; 5] = [
        Arc::new(rows.iter().map(|row| row.0.clone()).collect::<StringArray>()),
        arrow_array::Array::slice(&sizes, 1, rows.len()),
        Arc::new(rows.iter().map(|row| row.2).collect::<Int64Array>()),
        Arc::new(rows.iter().map(|row| row.3).collect::<Float64Array>()),
        Arc::new(rows.iter().map(|row| row.4).collect::<BooleanArray>()),
    ];
    RecordBatch::try_from_iter(NAMES.into_iter().zip(columns)).unwrap()
}

fn as_arrow_file(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn as_arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    as_arrow_batches(std::slice::from_ref(batch))
}

fn as_arrow_batches(batches: &[RecordBatch]) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn as_parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// What a table is: for each column its name, kind, values and codes.
fn contents(table: &Table) -> Vec<String> {
    let column = |c: &branchwise::data::Column| {
        let codes: Vec<u32> = c.codes().iter().collect();
        format!("{} {:?} {:?} {} {codes:?}", c.name(), c.kind(), c.values(), c.has_missing())
    };
    let counts: Vec<u64> = (0..table.n_rows()).map(|row| table.count(row)).collect();
    table.columns().iter().map(column).chain([format!("{counts:?}")]).collect()
}

/// Each row's values, with the names of their columns.
fn row_by_row(table: &Table) -> Vec<Vec<(String, Option<String>)>> {
    let value =
        |row, c: &branchwise::data::Column| (c.name().to_string(), c.value(row).map(String::from));
    let row = |row| table.columns().iter().map(|column| value(row, column)).collect();
    (0..table.n_rows()).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_format_gives_the_same_table(rows in rows(), merge: bool, skip: bool) {
        let skip = if skip { vec!["text".to_string()] } else { Vec::new() };
        let options = ReadOptions { header: Header::Present, merge, skip, ..Default::default() };
        let (csv, batch) = (as_csv(&rows), as_batch(&rows));
        let (expected, _) = read_table(csv.as_slice(), &options).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("gzip", as_gzip(&csv)),
            ("arrow file", as_arrow_file(&batch)),
            ("arrow stream", as_arrow_stream(&batch)),
            ("parquet", as_parquet(&batch)),
        ] {
            let (table, _) = read_table(bytes.as_slice(), &options).unwrap();
            prop_assert_eq!(contents(&table), contents(&expected), "{}, from a stream", name);
            let path = folder.path().join(name);
            std::fs::write(&path, &bytes).unwrap();
            let (table, _) = read_tables(vec![Source::Path(path)], &options).unwrap();
            prop_assert_eq!(contents(&table), contents(&expected), "{}, from a file", name);
        }
    }

    #[test]
    fn parts_of_a_table_are_the_table(rows in rows(), most in 1usize..4, skip: bool) {
        let skip = if skip { vec!["text".to_string()] } else { Vec::new() };
        let options = ReadOptions { header: Header::Present, skip, ..Default::default() };
        let (csv, batch) = (as_csv(&rows), as_batch(&rows));
        let (expected, _) = read_table(csv.as_slice(), &options).unwrap();
        let expected = row_by_row(&expected);
        let half = rows.len() / 2;
        let pieces = [batch.slice(0, half), batch.slice(half, rows.len() - half)];
        for (name, bytes) in [
            ("csv", csv),
            ("arrow stream", as_arrow_batches(&pieces)),
            ("parquet", as_parquet(&batch)),
        ] {
            let mut found = Vec::new();
            let source = Source::Stream(name.to_string(), Box::new(bytes.as_slice()));
            read_parts(vec![source], &options, most, &mut |part| {
                found.extend(row_by_row(&part));
                Ok(())
            }, &mut ()).unwrap();
            prop_assert_eq!(&found, &expected, "{}", name);
        }
    }

    #[test]
    fn several_files_are_one_table(rows in rows(), merge: bool) {
        let options = ReadOptions { header: Header::Present, merge, ..Default::default() };
        let (expected, _) = read_table(as_csv(&rows).as_slice(), &options).unwrap();
        let (some, others) = rows.split_at(rows.len() / 2);
        let part = |name: &str, bytes| Source::Stream(name.to_string(), Box::new(std::io::Cursor::new(bytes)));
        let parts = vec![
            part("csv", as_csv(some)),
            part("parquet", as_parquet(&as_batch(others))),
            part("none", as_csv(&[])),
        ];
        let (table, assumed) = read_tables(parts, &options).unwrap();
        prop_assert_eq!(contents(&table), contents(&expected));
        let is_text = matches!(assumed.format, Format::Text { .. });
        prop_assert!(is_text);
    }
}

#[test]
fn damaged_files_are_refused() {
    let rows = [(Some("a".to_string()), Some(1), Some(2), Some(3.5), Some(true))];
    let batch = as_batch(&rows);
    let problem =
        |bytes: &[u8]| read_table(bytes, &ReadOptions::default()).unwrap_err().to_string();
    for (bytes, phrase) in [
        (as_parquet(&batch), "begins like Parquet, but cannot be read"),
        (as_arrow_file(&batch), "begins like Arrow, but cannot be read"),
        (as_arrow_stream(&batch), "begins like Arrow, but cannot be read"),
        (as_gzip(&as_csv(&rows)), "cannot read the table"),
    ] {
        let message = problem(&bytes[..bytes.len() - 9]);
        let ends_early = message.contains(phrase);
        assert!(ends_early || bytes.starts_with(b"\xff\xff\xff\xff"), "{message}");
    }
    let lists = {
        let mut builder =
            arrow_array::builder::ListBuilder::new(arrow_array::builder::Int32Builder::new());
        builder.append_value([Some(1)]);
        let column: ArrayRef = Arc::new(builder.finish());
        RecordBatch::try_from_iter([("l", column)]).unwrap()
    };
    let message = problem(&as_arrow_stream(&lists));
    assert!(message.contains("the column \"l\" holds List"), "{message}");
}

#[test]
fn batches_in_memory_are_read_as_their_files_are() {
    let full = |text: &str, size, number| -> Row {
        (Some(text.into()), Some(size), Some(number), Some(number as f64 / 4.0), Some(number > 0))
    };
    let rows = [full("a", 1, 3), (None, None, None, None, None), full("b", 0, -2)];
    let batch = as_batch(&rows);
    let file = as_arrow_stream(&batch);
    let (read, _) = read_table(file.as_slice(), &ReadOptions::default()).unwrap();
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let taken = read_batches(batches, &ReadOptions::default()).unwrap();
    assert_eq!((taken.n_rows(), taken.columns().len()), (3, 5));
    for (a, b) in taken.columns().iter().zip(read.columns()) {
        assert_eq!((a.name(), a.kind(), a.values()), (b.name(), b.kind(), b.values()));
        assert!(a.codes().iter().eq(b.codes().iter()));
    }
}

#[test]
fn moments_of_a_named_zone_are_read() {
    let moments = TimestampSecondArray::from(vec![0, 5400]).with_timezone("Europe/Berlin");
    let column: ArrayRef = Arc::new(moments);
    let batch = RecordBatch::try_from_iter([("at", column)]).unwrap();
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let table = read_batches(batches, &ReadOptions::default()).unwrap();
    assert_eq!(table.columns()[0].kind(), Kind::Date);
    assert_eq!(table.columns()[0].values(), ["1970-01-01T00:00:00Z", "1970-01-01T01:30:00Z"]);
}
